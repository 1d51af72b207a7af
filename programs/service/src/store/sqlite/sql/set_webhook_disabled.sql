UPDATE webhooks SET disabled = ?3 WHERE account = ?1 AND id = ?2
