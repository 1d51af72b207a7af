-- A part of what waits, so that nobody else waits long: it is asked for until nothing is left.
UPDATE deliveries
SET state = 'bounced', cancelled = 1, reason = 'cancelled', ended = unixepoch()
WHERE id IN (
    SELECT id FROM deliveries
    WHERE account = ?1 AND state = 'queued' AND (?2 IS NULL OR call = ?2)
    LIMIT ?3
)
RETURNING id
