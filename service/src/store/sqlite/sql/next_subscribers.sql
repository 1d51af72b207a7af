UPDATE sequence
SET next_subscriber = next_subscriber + ?1
RETURNING next_subscriber - ?1
