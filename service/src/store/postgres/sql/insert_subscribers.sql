INSERT INTO subscribers (account, match_key, email)
SELECT $1, match_key, email
FROM unnest($2::text[], $3::text[]) AS q (match_key, email)
ORDER BY match_key COLLATE "C"
ON CONFLICT (account, match_key) DO NOTHING
RETURNING id, match_key
