-- How many emails wait, how many of them are due, since when the oldest one has been due, and the time now. Emails of paused
-- accounts are not due.
SELECT
    count(*),
    count(CASE WHEN d.due <= now() AND NOT a.paused THEN 1 END),
    min(CASE WHEN d.due <= now() AND NOT a.paused THEN d.due END),
    now()
FROM deliveries d
JOIN accounts a ON a.id = d.account
WHERE d.state = 'queued'
