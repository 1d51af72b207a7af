-- The same of all accounts together, on the same day: this comes after it in the transaction.
INSERT INTO call_totals AS t (day, operation, code, rule, calls)
SELECT floor(extract(epoch FROM transaction_timestamp()) / 86400)::bigint, n.operation, n.code, n.rule, sum(n.calls)::bigint
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[]) AS n (operation, code, rule, calls)
GROUP BY n.operation, n.code, n.rule
ORDER BY n.operation, n.code, n.rule
ON CONFLICT (day, operation, code, rule) DO UPDATE SET calls = t.calls + excluded.calls
