-- The ?1 most frequent reasons of emails that wait, among the 200 that are due last: emails that were postponed are due
-- later than emails that were not tried.
SELECT reason, count(*)
FROM (
    SELECT delivery FROM queue ORDER BY account DESC, traffic_class DESC, due DESC, delivery DESC LIMIT 200
) waits
JOIN deliveries d ON d.id = waits.delivery
WHERE reason IS NOT NULL
GROUP BY reason
ORDER BY 2 DESC, 1
LIMIT ?1
