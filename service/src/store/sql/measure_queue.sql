-- What waits; what of it is due, but for accounts that are paused, and when the first of that was; by the time at the end.
SELECT
    count(*),
    count(CASE WHEN d.due <= now() AND NOT a.paused THEN 1 END),
    min(CASE WHEN d.due <= now() AND NOT a.paused THEN d.due END),
    now()
FROM deliveries d
JOIN accounts a ON a.id = d.account
WHERE d.state = 'queued'
