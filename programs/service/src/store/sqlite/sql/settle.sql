-- Settles deliveries at the time ?2. A delivery that was cancelled in the meantime stays cancelled, unless it was delivered.
-- The record of a delivery that is given back without a reason is not written.
UPDATE deliveries
SET state = q.value ->> 1,
    attempts = attempts + (q.value ->> 3),
    tried = coalesce(tried, iif(q.value ->> 3, ?2, NULL)),
    reason = coalesce(q.value ->> 4, reason),
    ended = iif(q.value ->> 1 = 'queued', NULL, ?2)
FROM json_each(?1) q
WHERE deliveries.id = q.value ->> 0 AND (state = 'queued' OR q.value ->> 1 = 'delivered')
    AND (q.value ->> 3 OR q.value ->> 4 IS NOT NULL)
RETURNING deliveries.id, deliveries.cancelled
