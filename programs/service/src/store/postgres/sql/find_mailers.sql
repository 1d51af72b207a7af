SELECT m.account, m.id, m.revision
FROM unnest($1::bigint[], $2::bigint[]) AS q (account, id)
JOIN mailers m ON m.account = q.account AND m.id = q.id
