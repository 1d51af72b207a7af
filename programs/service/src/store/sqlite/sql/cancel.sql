-- Cancels up to ?3 waiting deliveries. The caller repeats it until nothing is left, so that others do not wait long.
UPDATE deliveries
SET state = 'bounced', cancelled = 1, reason = 'cancelled', ended = unixepoch()
WHERE id IN (
    SELECT q.delivery FROM queue q
    WHERE q.account = ?1 AND (?2 IS NULL OR q.delivery IN (SELECT d.id FROM deliveries d WHERE d.call = ?2))
    LIMIT ?3
)
RETURNING id
