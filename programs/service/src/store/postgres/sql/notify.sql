SELECT pg_notify('franking_outbox', '')
