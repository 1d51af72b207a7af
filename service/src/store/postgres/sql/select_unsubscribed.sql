SELECT id, subscriber, scope, mailer, floor(extract(epoch FROM created))::bigint, lifted_reason
FROM unsubscribed
WHERE account = $1
ORDER BY id
