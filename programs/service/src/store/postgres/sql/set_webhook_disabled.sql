-- What was not taken is tried as if for the first time when webhook $2 of account $1 is enabled.
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
