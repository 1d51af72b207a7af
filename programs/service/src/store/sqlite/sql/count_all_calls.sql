INSERT INTO call_totals (day, operation, code, rule, calls)
VALUES (unixepoch() / 86400, ?1, ?2, ?3, ?4)
ON CONFLICT DO UPDATE SET calls = calls + excluded.calls
