-- What plans are about: one statement reads all kinds of data of all plans, in one round trip. Each row says its kind. A reader who has
-- unsubscribed from what is sent, the stored email or an email of httpSendMail, counts as INACTIVE. Rows of the last kind are ids for new
-- subscribers. The first columns are those of accounts_by_keys.sql.
SELECT
    a.id AS account, a.blocked AS flag, a.expired, a.deactivated, c.subscribers AS one, c.emails AS other,
    0 AS kind, NULL::text AS text
FROM accounts a
JOIN credits c ON c.account = a.id
WHERE a.id = ANY ($1::bigint[])
UNION ALL
SELECT NULL, NULL, NULL, NULL, id, NULL, 1, NULL
FROM calls
WHERE id = ANY ($2::bigint[])
UNION ALL
SELECT s.account, NULL, NULL, NULL, NULL, NULL, 2, s.match_key
FROM unnest($3::bigint[], $4::text[]) AS q (account, match_key)
JOIN subscribers s ON s.account = q.account AND s.match_key = q.match_key
UNION ALL
SELECT
    s.account,
    s.inactive OR EXISTS (
        SELECT 1 FROM unsubscribed u
        WHERE u.account = s.account AND u.reader = reader_hash((SELECT reader_key FROM outbox), s.match_key) AND u.lifted IS NULL
            AND (u.scope = 'account' OR u.mailer = q.mailer OR u.scope = 'httpSendMail' AND q.mailer IS NULL)
    ),
    NULL, NULL, s.id, q.mailer, 3, NULL
FROM unnest($5::bigint[], $6::bigint[], $7::bigint[]) AS q (account, id, mailer)
JOIN subscribers s ON s.account = q.account AND s.id = q.id
UNION ALL
SELECT l.account, NULL, NULL, NULL, NULL, NULL, 4, l.name
FROM unnest($8::bigint[], $9::text[]) AS q (account, name)
JOIN lists l ON l.account = q.account AND l.name = q.name
UNION ALL
SELECT m.account, NULL, NULL, NULL, m.id, m.revision, 5, NULL
FROM unnest($10::bigint[], $11::bigint[]) AS q (account, id)
JOIN mailers m ON m.account = q.account AND m.id = q.id
UNION ALL
SELECT NULL, NULL, NULL, NULL, nextval('subscriber_ids'), NULL, 6, NULL
FROM generate_series(1, $12::bigint)
