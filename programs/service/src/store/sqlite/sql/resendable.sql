SELECT d.state = 'queued', m.content IS NOT NULL
FROM deliveries d
JOIN messages m ON m.call = d.call AND m.position = d.message
WHERE d.id = ?1
