-- Claims up to $2 deliveries for $3 seconds: an equal share of each account that comes after $1, is not among $4, and has
-- something due.
-- A share is read from the head of the account's range of the index. Claimed deliveries are passed over, so the cost depends on
-- how many are claimed, but not on how many wait.
-- The time is that of the clock or $5, whichever is later: $5 goes on if the clock was set back. $6 is the number of the process's
-- name.
-- The clock is read in a query of its own, because an index cannot be searched for the result of a volatile function.
,
clock (now) AS MATERIALIZED (SELECT greatest(clock_timestamp(), $5::timestamptz)),
claim (id) AS MATERIALIZED (SELECT nextval('claim_ids')),
ready (account) AS MATERIALIZED (
    SELECT q.account
    FROM queued q
    WHERE q.account <> ALL ($4::bigint[])
        AND NOT (SELECT paused FROM outbox)
        AND NOT (SELECT a.paused FROM accounts a WHERE a.id = q.account)
        AND EXISTS (
            SELECT 1 FROM (VALUES (0), (1)) l (traffic_class)
            WHERE (
                SELECT w.due FROM queue w
                WHERE w.account = q.account AND w.traffic_class = l.traffic_class AND w.leased <= (SELECT now FROM clock)
                ORDER BY w.due
                LIMIT 1
            ) <= (SELECT now FROM clock)
        )
    LIMIT $2
),
share (most) AS MATERIALIZED (SELECT ($2 + count(*) - 1) / greatest(count(*), 1) FROM ready),
-- An account with emails of both classes sends four of sendMailer for each one of httpSendMail. Shares are rounded up, so together
-- they may exceed $2. Then the last deliveries of each share are left out, and not the shares of the last accounts.
picked (id) AS (
    SELECT p.id
    FROM ready r
    CROSS JOIN LATERAL (
        SELECT c.id, row_number() OVER (ORDER BY c.place * l.step) AS turn
        FROM (VALUES (0, 5), (1, 20)) l (traffic_class, step)
        CROSS JOIN LATERAL (
            SELECT n.id, row_number() OVER (ORDER BY n.due, n.id) AS place
            FROM (
                SELECT w.delivery AS id, w.due FROM queue w
                WHERE w.account = r.account AND w.traffic_class = l.traffic_class
                    AND w.due <= (SELECT now FROM clock) AND w.leased <= (SELECT now FROM clock)
                ORDER BY w.due, w.delivery
                LIMIT (SELECT most FROM share)
                FOR UPDATE SKIP LOCKED
            ) n
        ) c
        ORDER BY c.place * l.step
        LIMIT (SELECT most FROM share)
    ) p
    ORDER BY p.turn, r.account
    LIMIT $2
),
claimed AS (
    UPDATE queue w
    SET claim = (SELECT id FROM claim), leased = (SELECT now FROM clock) + make_interval(secs => $3), instance = $6::bigint
    WHERE w.delivery = ANY (ARRAY (SELECT id FROM picked))
    RETURNING w.delivery, w.traffic_class, w.claim
)
SELECT
    d.id, d.attempts,
    extract(epoch FROM (SELECT now FROM clock) - d.tried)::double precision,
    floor(extract(epoch FROM d.created))::bigint,
    d.account, d.fields::text, d.to_address,
    m.from_address, m.from_name, m.reply_to, m.subject, m.mailer, m.list_unsubscribe, m.content, octet_length(c.html)::bigint,
    w.claim, (SELECT secret FROM outbox),
    coalesce(s.inactive OR EXISTS (
        SELECT 1 FROM unsubscribed u
        WHERE u.account = s.account AND u.reader = reader_hash((SELECT reader_key FROM outbox), s.match_key) AND u.lifted IS NULL
            AND (u.scope = 'account' OR u.mailer = m.mailer OR u.scope = 'httpSendMail' AND m.mailer IS NULL)
    ), false),
    m.unsubscribe IS NOT NULL, m.track_opens, m.track_clicks
FROM claimed w
JOIN deliveries d ON d.id = w.delivery
JOIN messages m ON m.call = d.call AND m.position = d.message
LEFT JOIN subscribers s ON s.account = d.account AND s.id = d.subscriber
LEFT JOIN contents c ON c.hash = m.content
ORDER BY row_number() OVER (PARTITION BY d.account ORDER BY w.traffic_class, d.id), d.account
