-- Counts by the address of a client that are older than ?1 days.
DELETE FROM call_counts WHERE day < unixepoch() / 86400 - ?1 AND account = 0
