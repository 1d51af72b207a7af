-- A reader who has unsubscribed from the stored email ?3, or from httpSendMail if ?3 is NULL, is INACTIVE to the call.
SELECT
    j.key, s.id, s.email,
    s.inactive OR EXISTS (
        SELECT 1 FROM unsubscribed u
        WHERE u.account = ?1 AND u.reader = reader_hash((SELECT reader_key FROM outbox), s.match_key) AND u.lifted IS NULL
            AND (u.scope = 'account' OR u.mailer = ?3 OR u.scope = 'httpSendMail' AND ?3 IS NULL)
    )
FROM json_each(?2) j
CROSS JOIN subscribers s ON s.account = ?1 AND s.id = j.value
