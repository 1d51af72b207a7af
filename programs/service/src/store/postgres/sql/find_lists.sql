SELECT l.account, l.name
FROM unnest($1::bigint[], $2::text[]) AS q (account, name)
JOIN lists l ON l.account = q.account AND l.name = q.name
