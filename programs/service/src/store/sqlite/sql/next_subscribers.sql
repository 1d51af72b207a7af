-- Takes new ids for each account of ?1, and returns the last one of each, plus 1.
UPDATE credits
SET next_subscriber = next_subscriber + (j.value ->> 1)
FROM jsonb_each(?1) j
WHERE account = j.value ->> 0
RETURNING account, next_subscriber
