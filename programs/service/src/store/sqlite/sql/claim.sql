-- Selects up to ?2 deliveries: an equal share of each account that comes after ?1, is not among ?4, and has something due at
-- time ?5. The claimed deliveries ?3 are left out.
-- A share is read from the head of the account's range of the index, so the cost does not depend on how many deliveries
-- wait.
,
ready (account) AS MATERIALIZED (
    SELECT q.account
    FROM queued q
    WHERE q.account IS NOT NULL
        AND q.account NOT IN (SELECT value FROM json_each(?4))
        AND NOT (SELECT paused FROM outbox)
        AND NOT (SELECT a.paused FROM accounts a WHERE a.id = q.account)
        AND EXISTS (
            SELECT 1 FROM queue w
            WHERE w.account = q.account AND w.traffic_class IN (0, 1) AND w.due <= ?5
                AND w.delivery NOT IN (SELECT value FROM json_each(?3))
        )
    LIMIT ?2
),
share (most) AS MATERIALIZED (SELECT (?2 + count(*) - 1) / max(count(*), 1) FROM ready)
SELECT
    d.id, d.attempts, ?5 - d.tried, d.created, d.account, d.fields, d.to_address,
    m.from_address, m.from_name, m.reply_to, m.subject, m.mailer, m.list_unsubscribe, m.content, length(c.html),
    (SELECT secret FROM outbox),
    coalesce(s.inactive OR EXISTS (
        SELECT 1 FROM unsubscribed u
        WHERE u.account = s.account AND u.reader = reader_hash((SELECT reader_key FROM outbox), s.match_key) AND u.lifted IS NULL
            AND (u.scope = 'account' OR u.mailer = m.mailer OR u.scope = 'httpSendMail' AND m.mailer IS NULL)
    ), 0),
    m.unsubscribe IS NOT NULL, m.track_opens, m.track_clicks
FROM ready r
CROSS JOIN queue w ON w.delivery IN (
    -- An account with emails of both classes sends four of sendMailer for each one of httpSendMail.
    SELECT id FROM (
        SELECT n.id AS id, row_number() OVER (ORDER BY n.due, n.id) * 5 AS place
        FROM (
            SELECT x.delivery AS id, x.due FROM queue x
            WHERE x.account = r.account AND x.traffic_class = 0 AND x.due <= ?5
                AND x.delivery NOT IN (SELECT value FROM json_each(?3))
            ORDER BY x.due, x.delivery
            LIMIT (SELECT most FROM share)
        ) n
        UNION ALL
        SELECT n.id AS id, row_number() OVER (ORDER BY n.due, n.id) * 20 AS place
        FROM (
            SELECT x.delivery AS id, x.due FROM queue x
            WHERE x.account = r.account AND x.traffic_class = 1 AND x.due <= ?5
                AND x.delivery NOT IN (SELECT value FROM json_each(?3))
            ORDER BY x.due, x.delivery
            LIMIT (SELECT most FROM share)
        ) n
    )
    ORDER BY place
    LIMIT (SELECT most FROM share)
)
CROSS JOIN deliveries d ON d.id = w.delivery
JOIN messages m ON m.call = d.call AND m.position = d.message
LEFT JOIN subscribers s ON s.account = d.account AND s.id = d.subscriber
LEFT JOIN contents c ON c.hash = m.content
ORDER BY row_number() OVER (PARTITION BY d.account ORDER BY w.traffic_class, d.id), d.account
LIMIT ?2
