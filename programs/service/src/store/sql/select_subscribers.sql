-- Up to ?3 subscribers of account ?1 after number ?2.
SELECT id, email, inactive, created
FROM subscribers
WHERE account = ?1 AND id > ?2
ORDER BY id
LIMIT ?3
