INSERT INTO contents (hash, html)
SELECT unhex(value ->> 0), CAST(value ->> 1 AS BLOB)
FROM jsonb_each(?1)
WHERE true
ON CONFLICT DO NOTHING
