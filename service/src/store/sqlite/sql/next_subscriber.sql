UPDATE accounts
SET next_subscriber = next_subscriber + 1
WHERE id = ?1
RETURNING next_subscriber - 1
