-- The ?1 accounts with the most emails that wait.
SELECT account, count(*)
FROM deliveries
WHERE state = 'queued'
GROUP BY account
ORDER BY 2 DESC, 1
LIMIT ?1
