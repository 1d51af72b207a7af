SELECT a.id, a.blocked, a.expired, a.deactivated, c.subscribers, c.emails
FROM json_each(?1) j
CROSS JOIN accounts a ON a.id = j.value
CROSS JOIN credits c ON c.account = a.id
