-- Counts by the address of a client, up to the day ?1. Counts by account stay.
DELETE FROM call_counts WHERE day < ?1 AND account = 0
