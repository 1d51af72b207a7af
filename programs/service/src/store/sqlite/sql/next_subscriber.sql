-- Takes ?2 new ids, and returns the first one.
UPDATE credits
SET next_subscriber = next_subscriber + ?2
WHERE account = ?1
RETURNING next_subscriber - ?2
