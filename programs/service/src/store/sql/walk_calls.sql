SELECT id, 0, created FROM calls WHERE id > ?1 ORDER BY id LIMIT 100
