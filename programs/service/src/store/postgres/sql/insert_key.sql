INSERT INTO keys (account, hash, label)
SELECT $1, $2, $3
WHERE (SELECT count(*) FROM keys WHERE account = $1) < 2
RETURNING id
