SELECT s.account, s.match_key
FROM unnest($1::bigint[], $2::text[]) AS q (account, match_key)
JOIN subscribers s ON s.account = q.account AND s.match_key = q.match_key
