INSERT INTO call_counts (day, account, operation, code, rule, peer, calls)
VALUES (unixepoch() / 86400, ?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT DO UPDATE SET calls = calls + excluded.calls
