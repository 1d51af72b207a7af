-- Counts the calls of all accounts together. They count for the same day as in the statement before, because both read
-- the time at which the transaction began.
INSERT INTO call_totals AS t (day, operation, code, rule, calls)
SELECT floor(extract(epoch FROM transaction_timestamp()) / 86400)::bigint, n.operation, n.code, n.rule, n.calls
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[]) AS n (operation, code, rule, calls)
ON CONFLICT (day, operation, code, rule) DO UPDATE SET calls = t.calls + excluded.calls
