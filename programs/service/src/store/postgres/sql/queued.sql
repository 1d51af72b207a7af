-- The accounts after $1 that have something queued. Other statements begin with this one. The accounts are found one by one
-- in the index, however much each has queued.
WITH RECURSIVE
queued (account) AS (
    (SELECT account FROM deliveries WHERE state = 'queued' AND account > $1 ORDER BY account LIMIT 1)
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
