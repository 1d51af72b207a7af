-- The accounts after ?1 that have something queued, and NULL; other statements begin with it. They are found one by one in
-- the index, whatever waits of each.
WITH RECURSIVE
queued (account) AS (
    SELECT min(account) FROM deliveries WHERE state = 'queued' AND account > ?1
    UNION ALL
    SELECT (SELECT min(d.account) FROM deliveries d WHERE d.state = 'queued' AND d.account > q.account)
    FROM queued q
    WHERE q.account IS NOT NULL
)
