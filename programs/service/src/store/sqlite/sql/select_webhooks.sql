SELECT
    w.id, w.url, w.kinds, w.secret_before IS NOT NULL, w.position,
    (SELECT count(*) FROM (SELECT 1 FROM events e WHERE e.account = w.account AND e.number > w.position LIMIT 10001)),
    (SELECT count(*) FROM webhook_retries r WHERE r.webhook = w.id), w.succeeded, w.disabled
FROM webhooks w
WHERE w.account = ?1
ORDER BY w.id
