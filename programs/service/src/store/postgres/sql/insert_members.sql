INSERT INTO list_members (list, account, subscriber)
SELECT l.id, q.account, q.subscriber
FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS q (account, list, subscriber)
JOIN lists l ON l.account = q.account AND l.name = q.list
ON CONFLICT DO NOTHING
