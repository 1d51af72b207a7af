-- The ?2 most frequent reasons of waiting emails. Of each account and traffic_class, the 20 emails that are due last are read. Of
-- all of these, the 200 that are due last count. Postponed emails are among the last, because emails that were not tried are due
-- earlier. Each value of traffic_class is a separate range of the index.
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
