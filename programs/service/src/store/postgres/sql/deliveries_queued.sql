-- Up to $2 deliveries of account $1 that wait, the one that is due first before the others. Each lane is a part of the index.
WHERE d.id IN (
    SELECT id FROM (SELECT id FROM deliveries WHERE account = $1 AND lane = 0 AND state = 'queued' ORDER BY due, id LIMIT $2) a
    UNION ALL
    SELECT id FROM (SELECT id FROM deliveries WHERE account = $1 AND lane = 1 AND state = 'queued' ORDER BY due, id LIMIT $2) b
)
ORDER BY d.due, d.id
LIMIT $2
