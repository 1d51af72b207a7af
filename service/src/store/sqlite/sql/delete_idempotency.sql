DELETE FROM idempotency
WHERE (account, key) IN (
    SELECT account, key
    FROM idempotency
    WHERE created <= unixepoch() - ?1
    ORDER BY created
    LIMIT ?2
)
