-- Makes up to $3 deliveries that are due after $4 due at $4. The caller repeats it until nothing is left, so that others do not
-- wait long. Each value of traffic_class is a range of the index, so deliveries that are due already are not read. Claimed
-- deliveries are due already.
UPDATE queue
SET due = $4
WHERE delivery = ANY (ARRAY (
    SELECT q.delivery FROM queue q
    WHERE q.account = $1 AND q.traffic_class IN (0, 1) AND q.due > $4
        AND ($2::bigint IS NULL OR q.delivery IN (SELECT d.id FROM deliveries d WHERE d.call = $2))
    LIMIT $3
    FOR UPDATE
))
