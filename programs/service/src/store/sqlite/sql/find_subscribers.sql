-- A reader who has unsubscribed from what is sent, the stored email or an email of httpSendMail, counts as INACTIVE.
SELECT
    s.account, s.id, j.value ->> 2,
    s.inactive OR EXISTS (
        SELECT 1 FROM unsubscribed u
        WHERE u.account = s.account AND u.reader = reader_hash((SELECT reader_key FROM outbox), s.match_key) AND u.lifted IS NULL
            AND (u.scope = 'account' OR u.mailer = j.value ->> 2 OR u.scope = 'httpSendMail' AND j.value ->> 2 IS NULL)
    )
FROM jsonb_each(?1) j
CROSS JOIN subscribers s ON s.account = j.value ->> 0 AND s.id = j.value ->> 1
