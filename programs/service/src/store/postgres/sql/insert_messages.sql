-- The subject, the content and the List-Unsubscribe of a stored email are copied now, so that what is accepted is what is
-- sent.
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
    $1::bigint[], $2::bigint[], $3::integer[], $4::integer[], $5::bigint[], $6::text[], $7::bytea[], $8::text[], $9::text[],
    $10::text[], $11::bytea[], $12::boolean[], $13::boolean[]
) AS q (
    call, account, position, request, mailer, subject, content, from_address, from_name, reply_to, custom_field,
    track_opens, track_clicks
)
JOIN accounts a ON a.id = q.account
LEFT JOIN mailers m ON m.account = q.account AND m.id = q.mailer
