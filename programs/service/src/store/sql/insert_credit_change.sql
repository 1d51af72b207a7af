INSERT INTO credit_changes (account, subscriber, email, operator)
SELECT id, ?2, ?3, ?4
FROM accounts
WHERE id = ?1
RETURNING id
