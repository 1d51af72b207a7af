-- A call that takes such a key anew keeps it: its row is locked or young by then.
DELETE FROM idempotency
WHERE (account, key) IN (
    SELECT account, key
    FROM idempotency
    WHERE created <= clock_timestamp() - $1::bigint * interval '1 second'
    ORDER BY created
    LIMIT $2
    FOR UPDATE SKIP LOCKED
)
