-- The events after number $3 are posted again, so their retries are deleted.
WITH changed AS (
    UPDATE webhooks SET position = $3 WHERE account = $1 AND id = $2 RETURNING id
),
deleted AS (
    DELETE FROM webhook_retries r USING changed c WHERE r.webhook = c.id AND r.number > $3
)
SELECT id FROM changed
