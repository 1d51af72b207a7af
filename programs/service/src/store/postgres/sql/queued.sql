-- The accounts after $1 that have something queued. Other statements begin with this one. The accounts are found one by one
-- in the index, however much each has queued.
WITH RECURSIVE
queued (account) AS (
    (SELECT account FROM queue WHERE account > $1 ORDER BY account LIMIT 1)
    UNION ALL
    SELECT n.account
    FROM queued q
    CROSS JOIN LATERAL (
        SELECT w.account FROM queue w
        WHERE w.account > q.account
        ORDER BY w.account
        LIMIT 1
    ) n
)
