SELECT coalesce((SELECT created FROM deliveries ORDER BY id DESC LIMIT 1), 0)
