SELECT a.name, a.blocked, a.expired, a.deactivated, c.subscribers, c.emails, a.http_unsubscribe, a.paused, a.created
FROM accounts a
JOIN credits c ON c.account = a.id
WHERE a.id = ?1
