-- Makes a part of the deliveries that are due after $4 due at $4, so that others do not wait long. The caller repeats it
-- until nothing is left. Claimed deliveries stay as they are, because they are due at the end of a lease.
UPDATE deliveries
SET due = $4
WHERE id = ANY (ARRAY (
    SELECT id FROM deliveries
    WHERE account = $1 AND state = 'queued' AND claim IS NULL AND due > $4
        AND ($2::bigint IS NULL OR call = $2)
    LIMIT $3
    FOR UPDATE
))
