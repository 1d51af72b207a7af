INSERT INTO keys (account, hash)
SELECT ?1, ?2
WHERE (SELECT count(*) FROM keys WHERE account = ?1) < 2
RETURNING id, created
