SELECT id, 0, created FROM deliveries WHERE id > ?1 ORDER BY id LIMIT 100
