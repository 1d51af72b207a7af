SELECT a.id, a.blocked, a.expired, a.deactivated, c.subscribers, c.emails, a.name
FROM accounts a
JOIN credits c ON c.account = a.id
ORDER BY a.id
