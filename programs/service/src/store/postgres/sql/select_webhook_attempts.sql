SELECT a.number, a.attempt, a.status, a.problem, a.milliseconds, floor(extract(epoch FROM a.happened))::bigint
FROM webhook_attempts a
JOIN webhooks w ON w.id = a.webhook
WHERE w.account = $1 AND w.id = $2
ORDER BY a.id
