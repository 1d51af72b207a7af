SELECT id, subscriber, scope, mailer, created, lifted_reason
FROM unsubscribed
WHERE account = ?1
ORDER BY id
