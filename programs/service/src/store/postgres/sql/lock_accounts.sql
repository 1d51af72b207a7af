-- Locks the accounts until the end of the transaction, so that nobody else writes for them in the meantime.
SELECT id, blocked, expired, deactivated, subscriber_credit, email_credit
FROM accounts
WHERE id = ANY ($1::bigint[])
ORDER BY id
FOR NO KEY UPDATE
