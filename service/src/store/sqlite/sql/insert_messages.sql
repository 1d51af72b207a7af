-- A stored email is the one that the call was judged by. The subject, the content and the List-Unsubscribe of a stored email are copied now: what is accepted is what is sent.
INSERT INTO messages (
    call, position, request, mailer, subject, content, from_address, from_name, reply_to, custom_field,
    track_opens, track_clicks, list_unsubscribe
)
SELECT
    ?1,
    j.key,
    j.value ->> 0,
    m.id,
    coalesce(j.value ->> 2, m.subject),
    coalesce(unhex(j.value ->> 3), m.content),
    j.value ->> 4,
    j.value ->> 5,
    j.value ->> 6,
    j.value ->> 7,
    j.value ->> 8,
    j.value ->> 9,
    m.list_unsubscribe
FROM jsonb_each(?3) j
LEFT JOIN mailers m ON m.account = ?2 AND m.id = j.value ->> 1
WHERE j.value ->> 1 IS NULL OR m.revision = ?4
