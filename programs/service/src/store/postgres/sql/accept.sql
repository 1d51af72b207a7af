-- Writes the rows of plans, except the rows that another statement must see first or that depend on them. References are checked when all rows
-- are there. The accounts pay for their calls: a credit without limit stays NULL, and the row of an account that has no limit at all is not
-- written. The subject, the content and the List-Unsubscribe of a stored email are copied now, so that what is accepted is what is sent.
WITH accepted AS (
    INSERT INTO calls (id, account, operation, emails, subscribers)
    SELECT id, account, operation, emails, subscribers
    FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[])
        AS q (id, account, operation, emails, subscribers)
    RETURNING account, emails, subscribers
),
created AS (
    INSERT INTO subscribers (account, id, match_key, email)
    SELECT account, id, match_key, email
    FROM unnest($6::bigint[], $7::bigint[], $8::text[], $9::text[]) AS q (account, id, match_key, email)
),
personalized AS (
    INSERT INTO subscriber_fields (account, subscriber, name, value)
    SELECT account, subscriber, name, value
    FROM unnest($10::bigint[], $11::bigint[], $12::text[], $13::bytea[]) AS q (account, subscriber, name, value)
    ON CONFLICT (account, subscriber, name) DO UPDATE SET value = excluded.value
),
listed AS (
    INSERT INTO list_members (list, account, subscriber)
    SELECT l.id, q.account, q.subscriber
    FROM unnest($14::bigint[], $15::text[], $16::bigint[]) AS q (account, list, subscriber)
    JOIN lists l ON l.account = q.account AND l.name = q.list
    ON CONFLICT DO NOTHING
),
written AS (
    INSERT INTO messages (
        call, position, request, mailer, subject, content, from_address, from_name, reply_to, custom_field,
        track_opens, track_clicks, list_unsubscribe, unsubscribe
    )
    SELECT
        q.call, q.position, q.request, m.id, coalesce(q.subject, m.subject), coalesce(q.content, m.content),
        q.from_address, q.from_name, q.reply_to, q.custom_field, q.track_opens, q.track_clicks,
        m.list_unsubscribe,
        CASE WHEN q.mailer IS NOT NULL THEN m.unsubscribe WHEN a.http_unsubscribe THEN 'httpSendMail' END
    FROM unnest(
        $17::bigint[], $18::bigint[], $19::integer[], $20::integer[], $21::bigint[], $22::text[], $23::bytea[], $24::text[],
        $25::text[], $26::text[], $27::bytea[], $28::boolean[], $29::boolean[]
    ) AS q (
        call, account, position, request, mailer, subject, content, from_address, from_name, reply_to, custom_field,
        track_opens, track_clicks
    )
    JOIN accounts a ON a.id = q.account
    LEFT JOIN mailers m ON m.account = q.account AND m.id = q.mailer
)
UPDATE credits c
SET subscribers = c.subscribers - q.subscribers, emails = c.emails - q.emails
FROM (
    SELECT account, sum(subscribers)::bigint AS subscribers, sum(emails)::bigint AS emails
    FROM accepted
    GROUP BY account
) AS q
WHERE c.account = q.account AND coalesce(c.subscribers, c.emails) IS NOT NULL
