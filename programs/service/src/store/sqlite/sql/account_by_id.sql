SELECT id, blocked, expired, deactivated, subscriber_credit, email_credit
FROM accounts
WHERE id = ?1
