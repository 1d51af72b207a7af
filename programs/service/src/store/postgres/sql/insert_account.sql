WITH new AS (
    INSERT INTO accounts (name, blocked, expired, deactivated)
    VALUES ($1, $2, $3, $4)
    RETURNING id
)
INSERT INTO credits (account, subscribers, emails)
SELECT id, $5, $6
FROM new
RETURNING account
