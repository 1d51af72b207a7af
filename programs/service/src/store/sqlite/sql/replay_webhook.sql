UPDATE webhooks SET position = ?3 WHERE account = ?1 AND id = ?2
