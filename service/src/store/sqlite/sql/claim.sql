-- Up to ?2 deliveries, of each account an equal share: of the accounts after ?1 that have something due. What is claimed (?3)
-- is left out, and so are accounts (?4). A share is read from the head of the account's part of the index: the cost does not depend on how many wait.
,
ready (account) AS MATERIALIZED (
    SELECT q.account
    FROM queued q
    WHERE q.account IS NOT NULL
        AND q.account NOT IN (SELECT value FROM json_each(?4))
        AND NOT (SELECT paused FROM outbox)
        AND NOT (SELECT a.paused FROM accounts a WHERE a.id = q.account)
        AND EXISTS (
            SELECT 1 FROM deliveries d
            WHERE d.account = q.account AND d.state = 'queued' AND d.due <= unixepoch()
                AND d.id NOT IN (SELECT value FROM json_each(?3))
        )
    LIMIT ?2
)
SELECT
    d.id, d.attempts, unixepoch() - d.tried, d.created, d.account, d.fields, d.to_address,
    m.from_address, m.from_name, m.reply_to, m.subject, m.mailer, m.list_unsubscribe, m.content, length(c.html),
    (SELECT secret FROM outbox), coalesce(s.inactive, 0)
FROM ready r
CROSS JOIN deliveries d ON d.id IN (
    SELECT x.id FROM deliveries x
    WHERE x.account = r.account AND x.state = 'queued' AND x.due <= unixepoch()
        AND x.id NOT IN (SELECT value FROM json_each(?3))
    ORDER BY x.due, x.id
    LIMIT (SELECT (?2 + count(*) - 1) / max(count(*), 1) FROM ready)
)
JOIN messages m ON m.call = d.call AND m.position = d.message
LEFT JOIN subscribers s ON s.account = d.account AND s.id = d.subscriber
LEFT JOIN contents c ON c.hash = m.content
ORDER BY row_number() OVER (PARTITION BY d.account ORDER BY d.id), d.account
LIMIT ?2
