-- Deletes the counts by the address of a client, of days before ?1. Counts by account stay.
DELETE FROM call_counts WHERE day < ?1 AND account = 0
