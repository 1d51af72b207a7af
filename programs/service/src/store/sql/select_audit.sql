-- Up to ?2 commands before ?1, newest first.
SELECT id, begun, operator, action, outcome
FROM audit
WHERE id < ?1
ORDER BY id DESC
LIMIT ?2
