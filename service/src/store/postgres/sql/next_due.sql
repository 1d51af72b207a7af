-- In how many seconds something can be claimed; NULL when nothing waits, or all is paused.
WITH RECURSIVE
queued (account) AS (
    (SELECT account FROM deliveries WHERE state = 'queued' ORDER BY account LIMIT 1)
    UNION ALL
    SELECT n.account
    FROM queued q
    CROSS JOIN LATERAL (
        SELECT d.account FROM deliveries d
        WHERE d.state = 'queued' AND d.account > q.account
        ORDER BY d.account
        LIMIT 1
    ) n
)
SELECT extract(epoch FROM min((
    SELECT d.due FROM deliveries d
    WHERE d.account = q.account AND d.state = 'queued'
    ORDER BY d.due
    LIMIT 1
)) - clock_timestamp())::double precision
FROM queued q
WHERE NOT (SELECT paused FROM outbox)
    AND NOT (SELECT a.paused FROM accounts a WHERE a.id = q.account)
