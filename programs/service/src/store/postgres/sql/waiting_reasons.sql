-- The $2 most frequent reasons of waiting emails. Of each account and traffic_class, the 20 emails that are due last are read. Of
-- all of these, the 200 that are due last count. Postponed emails are among the last, because emails that were not tried are due
-- earlier. Each value of traffic_class is a separate range of the index.
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
