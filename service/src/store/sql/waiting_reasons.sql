-- The ?1 most frequent reasons of emails that wait, among the first 10,000 of them.
SELECT reason, count(*)
FROM (
    SELECT reason FROM deliveries WHERE state = 'queued' AND reason IS NOT NULL ORDER BY account, lane, due, id LIMIT 10000
) waits
GROUP BY reason
ORDER BY 2 DESC, 1
LIMIT ?1
