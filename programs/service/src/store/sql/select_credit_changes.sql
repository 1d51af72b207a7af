-- The last ?2 changes of the credits of account ?1 by operators, newest first.
SELECT changed, subscriber, email, operator
FROM credit_changes
WHERE account = ?1
ORDER BY id DESC
LIMIT ?2
