SELECT name, blocked, expired, deactivated, subscriber_credit, email_credit, http_unsubscribe, paused, created
FROM accounts
WHERE id = ?1
