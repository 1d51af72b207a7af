-- The messages after message ?2 of call ?1 that have content.
SELECT m.call, m.position, c.created, m.content
FROM messages m
JOIN calls c ON c.id = m.call
WHERE m.content IS NOT NULL AND (m.call, m.position) > (?1, ?2)
ORDER BY m.call, m.position
LIMIT 100
