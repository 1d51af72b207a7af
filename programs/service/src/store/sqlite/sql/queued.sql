-- The accounts after ?1 that have something queued, and NULL at the end. Other statements begin with this one. The accounts
-- are found one by one in the index, however much each has queued.
WITH RECURSIVE
queued (account) AS (
    SELECT min(account) FROM queue WHERE account > ?1
    UNION ALL
    SELECT (SELECT min(w.account) FROM queue w WHERE w.account > q.account)
    FROM queued q
    WHERE q.account IS NOT NULL
)
