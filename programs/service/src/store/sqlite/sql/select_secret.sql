SELECT secret FROM outbox
