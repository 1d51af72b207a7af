-- Waits for a transaction that inserts the same call. The caller always rolls back what this inserts.
INSERT INTO calls (id, account, operation, emails, subscribers)
SELECT $1, id, '', 0, 0
FROM accounts
ORDER BY id
LIMIT 1
ON CONFLICT DO NOTHING
