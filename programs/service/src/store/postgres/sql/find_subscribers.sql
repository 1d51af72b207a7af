-- A reader who has unsubscribed from what is sent, the stored email or an email of httpSendMail, counts as INACTIVE.
SELECT
    s.account, s.id, q.mailer,
    s.inactive OR EXISTS (
        SELECT 1 FROM unsubscribed u
        WHERE u.account = s.account AND u.reader = reader_hash((SELECT reader_key FROM outbox), s.match_key) AND u.lifted IS NULL
            AND (u.scope = 'account' OR u.mailer = q.mailer OR u.scope = 'httpSendMail' AND q.mailer IS NULL)
    )
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS q (account, id, mailer)
JOIN subscribers s ON s.account = q.account AND s.id = q.id
