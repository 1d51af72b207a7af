-- Up to ?3 calls of account ?1 before call ?2, from time ?4 up to ?5, newest first.
SELECT c.id, c.created, c.operation, c.emails, c.subscribers
FROM calls c
WHERE c.account = ?1
    AND (?2 IS NULL OR (c.created, c.id) < (SELECT b.created, b.id FROM calls b WHERE b.id = ?2))
    AND c.created >= ?4 AND c.created < ?5
ORDER BY c.created DESC, c.id DESC
LIMIT ?3
