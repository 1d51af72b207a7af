-- Up to ?4 deliveries of call ?2 of account ?1 before ?3, newest first.
WHERE d.account = ?1 AND d.call = ?2 AND d.id < ?3
ORDER BY d.id DESC
LIMIT ?4
