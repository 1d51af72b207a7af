SELECT id, blocked, expired, deactivated, subscriber_credit, email_credit, name
FROM accounts
ORDER BY id
