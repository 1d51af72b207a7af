-- The ?2 most frequent reasons of emails that wait, among the 200 that are due last of the last 20 of each account and
-- traffic_class: emails that were postponed are due later than emails that were not tried. Each value of traffic_class is a range of
-- the index.
SELECT d.reason, count(*)
FROM (
    SELECT w.delivery
    FROM queued q
    CROSS JOIN (SELECT 0 AS traffic_class UNION ALL SELECT 1) l
    CROSS JOIN json_each((
        SELECT json_group_array(e.delivery)
        FROM (
            SELECT delivery FROM queue
            WHERE account = q.account AND traffic_class = l.traffic_class
            ORDER BY due DESC, delivery DESC
            LIMIT 20
        ) e
    )) j
    CROSS JOIN queue w ON w.delivery = j.value
    WHERE q.account IS NOT NULL
    ORDER BY w.due DESC, w.delivery DESC
    LIMIT 200
) waits
JOIN deliveries d ON d.id = waits.delivery
WHERE d.reason IS NOT NULL
GROUP BY d.reason
ORDER BY 2 DESC, 1
LIMIT ?2
