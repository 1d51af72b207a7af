-- A part of what is due after ?4, so that nobody else waits long: it is asked for until nothing is left.
UPDATE deliveries
SET due = ?4
WHERE id IN (
    SELECT id FROM deliveries
    WHERE account = ?1 AND state = 'queued' AND due > ?4 AND (?2 IS NULL OR call = ?2)
    LIMIT ?3
)
