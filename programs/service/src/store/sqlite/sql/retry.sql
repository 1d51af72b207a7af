-- Makes a part of the deliveries that are due after ?4 due at ?4, so that others do not wait long. The caller repeats it
-- until nothing is left.
UPDATE deliveries
SET due = ?4
WHERE id IN (
    SELECT id FROM deliveries
    WHERE account = ?1 AND state = 'queued' AND due > ?4 AND (?2 IS NULL OR call = ?2)
    LIMIT ?3
)
