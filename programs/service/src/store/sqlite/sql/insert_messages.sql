-- The subject, the content and the List-Unsubscribe of a stored email are copied now, so that what is accepted is what is
-- sent.
INSERT INTO messages (
    call, position, request, mailer, subject, content, from_address, from_name, reply_to, custom_field,
    track_opens, track_clicks, list_unsubscribe, unsubscribe
)
SELECT
    j.value ->> 0,
    j.value ->> 2,
    j.value ->> 3,
    m.id,
    coalesce(j.value ->> 5, m.subject),
    coalesce(unhex(j.value ->> 6), m.content),
    j.value ->> 7,
    j.value ->> 8,
    j.value ->> 9,
    j.value ->> 10,
    j.value ->> 11,
    j.value ->> 12,
    m.list_unsubscribe,
    CASE WHEN j.value ->> 4 IS NOT NULL THEN m.unsubscribe WHEN a.http_unsubscribe THEN 'httpSendMail' END
FROM jsonb_each(?1) j
JOIN accounts a ON a.id = j.value ->> 1
LEFT JOIN mailers m ON m.account = j.value ->> 1 AND m.id = j.value ->> 4
