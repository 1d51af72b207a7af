-- Takes ?2 new ids, and returns the first one.
UPDATE accounts
SET next_subscriber = next_subscriber + ?2
WHERE id = ?1
RETURNING next_subscriber - ?2
