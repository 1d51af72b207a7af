INSERT INTO lists (account, name)
SELECT $1, name
FROM unnest($2::text[]) AS q (name)
ORDER BY name
ON CONFLICT DO NOTHING
