SELECT i.account, i.key, i.call, i.digest, i.answer
FROM unnest($1::bigint[], $2::text[]) AS q (account, key)
JOIN idempotency i ON i.account = q.account AND i.key = q.key
WHERE i.created > clock_timestamp() - $3::bigint * interval '1 second'
