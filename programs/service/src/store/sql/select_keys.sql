SELECT id, created, label, used FROM keys WHERE account = ?1 ORDER BY id
