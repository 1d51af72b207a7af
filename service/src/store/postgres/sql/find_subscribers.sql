SELECT s.account, s.id, s.inactive
FROM unnest($1::bigint[], $2::bigint[]) AS q (account, id)
JOIN subscribers s ON s.account = q.account AND s.id = q.id
