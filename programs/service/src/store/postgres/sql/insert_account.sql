-- Makes an account, and notes the credits that it is made with, if it has a limit.
WITH new AS (
    INSERT INTO accounts (name, blocked, expired, deactivated)
    VALUES ($1, $2, $3, $4)
    RETURNING id
),
noted AS (
    INSERT INTO credit_changes (account, subscriber, email, operator)
    SELECT id, coalesce($5::bigint, 0), coalesce($6::bigint, 0), $7
    FROM new
    WHERE coalesce($5::bigint, $6::bigint) IS NOT NULL
)
INSERT INTO credits (account, subscribers, emails)
SELECT id, $5, $6
FROM new
RETURNING account
