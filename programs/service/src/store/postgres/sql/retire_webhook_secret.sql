UPDATE webhooks SET secret_before = NULL WHERE account = $1 AND id = $2 RETURNING id
