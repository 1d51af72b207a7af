-- Disables webhook $2 of account $1, or enables it if $3 is NULL. Events that were not accepted are then tried as if for the
-- first time.
WITH changed AS (
    UPDATE webhooks SET disabled = $3 WHERE account = $1 AND id = $2 RETURNING id
),
retried AS (
    UPDATE webhook_retries r
    SET attempts = 0, first = clock_timestamp(), due = clock_timestamp()
    FROM changed c
    WHERE r.webhook = c.id AND $3::text IS NULL
)
SELECT id FROM changed
