SELECT a.id, a.blocked, a.expired, a.deactivated, a.subscriber_credit, a.email_credit, k.hash
FROM keys k
JOIN accounts a ON a.id = k.account
WHERE k.hash = ANY ($1::bytea[])
