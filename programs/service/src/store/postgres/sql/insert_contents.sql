INSERT INTO contents (hash, html)
SELECT hash, html
FROM unnest($1::bytea[], $2::bytea[]) AS q (hash, html)
ORDER BY hash
ON CONFLICT DO NOTHING
