-- Cancels a part of the waiting deliveries, so that others do not wait long. The caller repeats it until nothing is left.
UPDATE deliveries
SET state = 'bounced', cancelled = 1, reason = 'cancelled', ended = unixepoch()
WHERE id IN (
    SELECT id FROM deliveries
    WHERE account = ?1 AND state = 'queued' AND (?2 IS NULL OR call = ?2)
    LIMIT ?3
)
RETURNING id
