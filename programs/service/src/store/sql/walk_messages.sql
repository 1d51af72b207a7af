SELECT m.call, m.position, c.created
FROM messages m
JOIN calls c ON c.id = m.call
WHERE (m.call, m.position) > (?1, ?2)
ORDER BY m.call, m.position
LIMIT 100
