SELECT
    (SELECT paused FROM outbox),
    (SELECT count(*) FROM webhook_retries),
    (SELECT count(*) FROM webhooks WHERE disabled IS NOT NULL)
