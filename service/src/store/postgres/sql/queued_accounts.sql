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
SELECT account
FROM queued
WHERE ($1::bigint IS NULL OR account = $1)
    AND ($2::bigint IS NULL OR account = (SELECT c.account FROM calls c WHERE c.id = $2))
