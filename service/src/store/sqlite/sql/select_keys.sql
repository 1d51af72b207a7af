SELECT id, created FROM keys WHERE account = ?1 ORDER BY id
