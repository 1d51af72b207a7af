INSERT INTO list_members (list, account, subscriber)
SELECT l.id, $1, q.subscriber
FROM unnest($2::text[], $3::bigint[]) AS q (list, subscriber)
JOIN lists l ON l.account = $1 AND l.name = q.list
ORDER BY l.id, q.subscriber
ON CONFLICT DO NOTHING
