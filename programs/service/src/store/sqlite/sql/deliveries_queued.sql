-- Up to ?2 waiting deliveries of account ?1, in the order in which they are due. Each value of traffic_class is a range of the index.
WHERE d.id IN (
    SELECT id FROM (SELECT id FROM deliveries WHERE account = ?1 AND traffic_class = 0 AND state = 'queued' ORDER BY due, id LIMIT ?2) a
    UNION ALL
    SELECT id FROM (SELECT id FROM deliveries WHERE account = ?1 AND traffic_class = 1 AND state = 'queued' ORDER BY due, id LIMIT ?2) b
)
ORDER BY d.due, d.id
LIMIT ?2
