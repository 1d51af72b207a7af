-- Up to ?3 readers of account ?1 who have unsubscribed, before number ?2, newest first.
SELECT id, subscriber, scope, mailer, created, lifted_reason
FROM unsubscribed
WHERE account = ?1 AND id < ?2
ORDER BY id DESC
LIMIT ?3
