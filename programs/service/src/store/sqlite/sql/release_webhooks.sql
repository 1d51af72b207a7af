UPDATE webhooks SET leased = 0 WHERE leased > 0
