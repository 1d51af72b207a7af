-- A part of what waits, so that nobody else waits long: it is asked for until nothing is left.
UPDATE deliveries
SET state = 'bounced', cancelled = true, reason = 'cancelled', events = events | 1, ended = clock_timestamp()
WHERE id = ANY (ARRAY (
    SELECT id FROM deliveries
    WHERE account = $1 AND state = 'queued' AND ($2::bigint IS NULL OR call = $2)
    LIMIT $3
    FOR UPDATE
))
