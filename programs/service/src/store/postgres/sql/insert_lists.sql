INSERT INTO lists (account, name)
SELECT DISTINCT account, name
FROM unnest($1::bigint[], $2::text[]) AS q (account, name)
ON CONFLICT DO NOTHING
