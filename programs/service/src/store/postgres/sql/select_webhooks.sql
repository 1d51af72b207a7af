SELECT
    w.id, w.url, w.kinds, w.secret_before IS NOT NULL, w.position,
    (SELECT count(*) FROM (SELECT FROM events e WHERE e.account = w.account AND e.number > w.position LIMIT 10001) e),
    (SELECT count(*) FROM webhook_retries r WHERE r.webhook = w.id),
    floor(extract(epoch FROM w.succeeded))::bigint, w.disabled
FROM webhooks w
WHERE w.account = $1
ORDER BY w.id
