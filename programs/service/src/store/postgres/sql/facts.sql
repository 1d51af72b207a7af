-- One statement reads all columns of all calls, in one snapshot and one round trip. Each question comes with its account. The
-- domains of stored addresses are taken from the addresses. The next statement, in the same snapshot, looks these domains and
-- their parents up on the blacklist. A reader who has unsubscribed from what is sent, the stored email or an email of
-- httpSendMail, is INACTIVE to the call, even if the reader is no longer stored. The reader then has the number of the time when
-- it was stored.
SELECT 0 AS asked, q.place, m.revision AS number, m.from_address AS text, m.from_name AS name, false AS inactive
FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY q (account, id, place)
JOIN mailers m ON m.account = q.account AND m.id = q.id
UNION ALL
SELECT 1, q.place, NULL, NULL, NULL, false
FROM unnest($3::bigint[], $4::text[]) WITH ORDINALITY q (account, match_key, place)
JOIN senders s ON s.account = q.account AND s.match_key = q.match_key AND s.active
UNION ALL
SELECT 2, q.place, s.id, s.email, NULL, s.inactive OR EXISTS (
    SELECT 1 FROM unsubscribed u
    WHERE u.account = s.account AND u.reader = reader_hash((SELECT reader_key FROM outbox), s.match_key) AND u.lifted IS NULL
        AND (u.scope = 'account' OR u.mailer = q.mailer OR u.scope = 'httpSendMail' AND q.mailer IS NULL)
)
FROM unnest($5::bigint[], $6::bigint[], $13::bigint[]) WITH ORDINALITY q (account, id, mailer, place)
JOIN subscribers s ON s.account = q.account AND s.id = q.id
UNION ALL
SELECT
    3, q.place, coalesce(s.id, u.subscriber), CASE WHEN q.wants_address THEN coalesce(s.email, q.match_key) END, NULL,
    coalesce(s.inactive, false) OR u.subscriber IS NOT NULL
FROM unnest($7::bigint[], $8::text[], $9::boolean[], $14::bigint[]) WITH ORDINALITY q (account, match_key, wants_address, mailer, place)
LEFT JOIN subscribers s ON s.account = q.account AND s.match_key = q.match_key
LEFT JOIN LATERAL (
    SELECT u.subscriber FROM unsubscribed u
    WHERE u.account = q.account AND u.reader = reader_hash((SELECT reader_key FROM outbox), q.match_key) AND u.lifted IS NULL
        AND (u.scope = 'account' OR u.mailer = q.mailer OR u.scope = 'httpSendMail' AND q.mailer IS NULL)
    LIMIT 1
) u ON true
WHERE s.id IS NOT NULL OR u.subscriber IS NOT NULL
UNION ALL
SELECT 4, q.place, NULL, NULL, NULL, false
FROM unnest($10::bigint[], $11::text[]) WITH ORDINALITY q (account, name, place)
JOIN lists l ON l.account = q.account AND l.name = q.name
UNION ALL
SELECT 5, q.place, b.roles, NULL, NULL, false
FROM unnest($12::text[]) WITH ORDINALITY q (domain, place)
JOIN blacklist b ON b.domain = q.domain
