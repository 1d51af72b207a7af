DELETE FROM deliveries
WHERE id IN (SELECT id FROM deliveries WHERE id > ?1 ORDER BY id LIMIT 100)
    AND id <= ?2 AND state <> 'queued' AND ended <= ?3
RETURNING account, created, events
