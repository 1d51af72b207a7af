SELECT m.subscriber, l.name
FROM list_members m
JOIN lists l ON l.id = m.list
WHERE m.account = ?1 AND m.subscriber > ?2 AND m.subscriber <= ?3
ORDER BY m.subscriber, l.name
