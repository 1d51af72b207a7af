-- The ?1 most frequent reasons of emails that wait, among the 200 that are due last: emails that were postponed are due
-- later than emails that were not tried.
SELECT reason, count(*)
FROM (
    SELECT reason FROM deliveries WHERE state = 'queued' ORDER BY account DESC, traffic_class DESC, due DESC, id DESC LIMIT 200
) waits
WHERE reason IS NOT NULL
GROUP BY reason
ORDER BY 2 DESC, 1
LIMIT ?1
