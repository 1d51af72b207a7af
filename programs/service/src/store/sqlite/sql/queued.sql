-- The accounts after ?1 that have something queued, and NULL at the end. Other statements begin with this one. The accounts
-- are found one by one in the index, however much each has queued.
WITH RECURSIVE
queued (account) AS (
    SELECT min(account) FROM deliveries WHERE state = 'queued' AND account > ?1
    UNION ALL
    SELECT (SELECT min(d.account) FROM deliveries d WHERE d.state = 'queued' AND d.account > q.account)
    FROM queued q
    WHERE q.account IS NOT NULL
)
