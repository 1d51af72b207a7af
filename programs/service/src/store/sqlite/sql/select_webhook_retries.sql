-- Up to ?2 due events that webhook ?1 has not accepted. Those that have been due for longest come first.
SELECT
    r.attempts, r.first, v.number, v.kind, d.call, m.custom_field, coalesce(d.to_address, s.email), v.status, v.reason,
    v.happened
FROM webhook_retries r
JOIN events v ON v.number = r.number
LEFT JOIN deliveries d ON d.id = v.delivery
LEFT JOIN messages m ON m.call = d.call AND m.position = d.message
LEFT JOIN subscribers s ON s.account = v.account AND s.id = v.subscriber
WHERE r.webhook = ?1 AND r.due <= unixepoch()
ORDER BY r.due
LIMIT ?2
