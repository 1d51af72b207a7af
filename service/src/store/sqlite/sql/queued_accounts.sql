WITH RECURSIVE
queued (account) AS (
    SELECT min(account) FROM deliveries WHERE state = 'queued'
    UNION ALL
    SELECT (SELECT min(d.account) FROM deliveries d WHERE d.state = 'queued' AND d.account > q.account)
    FROM queued q
    WHERE q.account IS NOT NULL
)
SELECT account
FROM queued
WHERE account IS NOT NULL
    AND (?1 IS NULL OR account = ?1)
    AND (?2 IS NULL OR account = (SELECT c.account FROM calls c WHERE c.id = ?2))
