-- Addresses of clients go with the calls: what was counted of them more than ?1 days ago.
DELETE FROM call_counts WHERE day < unixepoch() / 86400 - ?1 AND account = 0
