-- A key that was used again in the meantime is young, and stays.
DELETE FROM idempotency
WHERE (account, key) IN (
    SELECT account, key FROM idempotency WHERE created <= ?1 ORDER BY created LIMIT 100
)
    AND created <= ?1
RETURNING account
