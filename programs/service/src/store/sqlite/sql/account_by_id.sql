SELECT a.id, a.blocked, a.expired, a.deactivated, c.subscribers, c.emails
FROM accounts a
JOIN credits c ON c.account = a.id
WHERE a.id = ?1
