-- The last ?2 times at which credits were added to account ?1.
SELECT changed, subscriber, email, operator
FROM credit_changes
WHERE account = ?1
ORDER BY id DESC
LIMIT ?2
