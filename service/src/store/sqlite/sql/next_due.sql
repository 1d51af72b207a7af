-- In how many seconds something can be claimed that is not claimed (?1) now; NULL when nothing waits, or all is paused.
WITH RECURSIVE
queued (account) AS (
    SELECT min(account) FROM deliveries WHERE state = 'queued'
    UNION ALL
    SELECT (SELECT min(d.account) FROM deliveries d WHERE d.state = 'queued' AND d.account > q.account)
    FROM queued q
    WHERE q.account IS NOT NULL
)
SELECT min((
    SELECT d.due FROM deliveries d
    WHERE d.account = q.account AND d.state = 'queued' AND d.id NOT IN (SELECT value FROM json_each(?1))
    ORDER BY d.due
    LIMIT 1
)) - unixepoch('subsec')
FROM queued q
WHERE q.account IS NOT NULL
    AND NOT (SELECT paused FROM outbox)
    AND NOT (SELECT a.paused FROM accounts a WHERE a.id = q.account)
