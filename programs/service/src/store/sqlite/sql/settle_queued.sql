-- Makes the deliveries of ?1 that are queued again due, each after its time from ?2 on.
UPDATE queue
SET due = ?2 + (q.value ->> 2)
FROM json_each(?1) q
WHERE queue.delivery = q.value ->> 0 AND q.value ->> 1 = 'queued'
RETURNING queue.delivery
