UPDATE webhooks SET leased = 0 WHERE id = ?1
