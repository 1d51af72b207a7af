INSERT INTO lists (account, name)
SELECT ?1, value
FROM json_each(?2)
WHERE true
ON CONFLICT DO NOTHING
