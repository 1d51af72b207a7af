-- Locks the account until the end of the transaction, so that nobody else writes for it in the meantime.
SELECT a.id, a.blocked, a.expired, a.deactivated, a.subscriber_credit, a.email_credit
FROM keys k
JOIN accounts a ON a.id = k.account
WHERE k.hash = $1
FOR NO KEY UPDATE OF a
