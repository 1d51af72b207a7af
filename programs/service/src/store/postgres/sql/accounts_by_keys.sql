SELECT a.id, a.blocked, a.expired, a.deactivated, c.subscribers, c.emails, k.hash
FROM keys k
JOIN accounts a ON a.id = k.account
JOIN credits c ON c.account = a.id
WHERE k.hash = ANY ($1::bytea[])
