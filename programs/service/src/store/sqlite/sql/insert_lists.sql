INSERT INTO lists (account, name)
SELECT DISTINCT value ->> 0, value ->> 1
FROM jsonb_each(?1)
WHERE true
ON CONFLICT DO NOTHING
