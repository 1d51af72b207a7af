-- A part of what is due after $4, so that nobody else waits long: it is asked for until nothing is left. What is claimed is
-- left alone: its due is the end of a lease.
UPDATE deliveries
SET due = $4
WHERE id = ANY (ARRAY (
    SELECT id FROM deliveries
    WHERE account = $1 AND state = 'queued' AND claim IS NULL AND due > $4
        AND ($2::bigint IS NULL OR call = $2)
    LIMIT $3
    FOR UPDATE
))
