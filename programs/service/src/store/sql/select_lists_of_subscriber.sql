SELECT l.name
FROM list_members m
JOIN lists l ON l.id = m.list
WHERE m.account = ?1 AND m.subscriber = ?2
ORDER BY l.name
