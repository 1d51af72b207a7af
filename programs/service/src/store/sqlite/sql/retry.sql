-- Makes a part of the deliveries that are due after ?4 due at ?4, so that others do not wait long. The caller repeats it
-- until nothing is left. Each value of traffic_class is a range of the index, so what is due already is not read.
UPDATE queue
SET due = ?4
WHERE delivery IN (
    SELECT q.delivery FROM queue q
    WHERE q.account = ?1 AND q.traffic_class IN (0, 1) AND q.due > ?4
        AND (?2 IS NULL OR q.delivery IN (SELECT d.id FROM deliveries d WHERE d.call = ?2))
    LIMIT ?3
)
