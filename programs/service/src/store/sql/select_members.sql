-- Up to ?4 subscribers of list ?2 of account ?1 after number ?3.
SELECT s.id, s.email, s.inactive, s.created
FROM lists l
JOIN list_members m ON m.list = l.id
JOIN subscribers s ON s.account = m.account AND s.id = m.subscriber
WHERE l.account = ?1 AND l.name = ?2 AND m.subscriber > ?3
ORDER BY m.subscriber
LIMIT ?4
