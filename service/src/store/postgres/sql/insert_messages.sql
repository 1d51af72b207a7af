-- The messages from position $14 on. A stored email is the one that the call was judged by. Its subject, content and
-- List-Unsubscribe are copied now: what is accepted is what is sent.
INSERT INTO messages (
    call, position, request, mailer, subject, content, from_address, from_name, reply_to, custom_field,
    track_opens, track_clicks, list_unsubscribe
)
SELECT
    $1, $14::bigint + q.position - 1, q.request, m.id, coalesce(q.subject, m.subject), coalesce(q.content, m.content),
    q.from_address, q.from_name, q.reply_to, q.custom_field, q.track_opens, q.track_clicks,
    m.list_unsubscribe
FROM unnest(
    $3::integer[], $4::bigint[], $5::text[], $6::bytea[], $7::text[], $8::text[], $9::text[], $10::bytea[],
    $11::boolean[], $12::boolean[]
) WITH ORDINALITY AS q (
    request, mailer, subject, content, from_address, from_name, reply_to, custom_field, track_opens, track_clicks,
    position
)
LEFT JOIN mailers m ON m.account = $2 AND m.id = q.mailer
WHERE q.mailer IS NULL OR m.revision = $13
