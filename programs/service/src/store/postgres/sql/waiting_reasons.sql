-- The $2 most frequent reasons of emails that wait, among the 200 that are due last of the last 20 of each account and
-- traffic_class: emails that were postponed are due later than emails that were not tried. Each value of traffic_class is a range of
-- the index.
SELECT d.reason, count(*)
FROM (
    SELECT w.delivery
    FROM queued q
    CROSS JOIN (VALUES (0), (1)) l (traffic_class)
    CROSS JOIN LATERAL (
        SELECT delivery, due FROM queue
        WHERE account = q.account AND traffic_class = l.traffic_class
        ORDER BY due DESC, delivery DESC
        LIMIT 20
    ) w
    ORDER BY w.due DESC, w.delivery DESC
    LIMIT 200
) waits
JOIN deliveries d ON d.id = waits.delivery
WHERE d.reason IS NOT NULL
GROUP BY d.reason
ORDER BY 2 DESC, 1
LIMIT $2
