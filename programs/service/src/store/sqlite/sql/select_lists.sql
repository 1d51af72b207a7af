SELECT l.name, count(m.subscriber)
FROM lists l
LEFT JOIN list_members m ON m.list = l.id
WHERE l.account = ?1
GROUP BY l.id
ORDER BY l.name
