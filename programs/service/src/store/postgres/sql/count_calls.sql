-- Rows are written in the order of their keys, so that two processes that count the same calls do not deadlock.
INSERT INTO call_counts AS c (day, account, operation, code, rule, peer, calls)
SELECT floor(extract(epoch FROM transaction_timestamp()) / 86400)::bigint, n.account, n.operation, n.code, n.rule, n.peer, n.calls
FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[]) AS n (account, operation, code, rule, peer, calls)
ORDER BY n.account, n.operation, n.code, n.rule, n.peer
ON CONFLICT (day, account, operation, code, rule, peer) DO UPDATE SET calls = c.calls + excluded.calls
