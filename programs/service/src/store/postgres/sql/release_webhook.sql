UPDATE webhooks SET leased = '-infinity' WHERE id = $1
