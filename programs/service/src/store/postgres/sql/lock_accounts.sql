-- Held to the end of the transaction: nobody else writes for these accounts meanwhile.
SELECT id, blocked, expired, deactivated, subscriber_credit, email_credit
FROM accounts
WHERE id = ANY ($1::bigint[])
ORDER BY id
FOR NO KEY UPDATE
