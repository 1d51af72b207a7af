-- The calls of account ?1 from time ?2 up to ?3, newest first, each with the number of its emails.
SELECT created, emails
FROM calls
WHERE account = ?1 AND created >= ?2 AND created < ?3
ORDER BY created DESC
