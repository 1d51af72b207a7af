INSERT INTO subscribers (account, id, match_key, email, inactive)
SELECT $1, id, match_key, email, inactive
FROM unnest($2::bigint[], $3::text[], $4::text[], $5::boolean[]) AS q (id, match_key, email, inactive)
ON CONFLICT DO NOTHING
RETURNING match_key
