-- A reader who has unsubscribed from the stored email ?3, or from httpSendMail if ?3 is NULL, is INACTIVE to the call, even if
-- the reader is no longer stored. The reader then has the number of the time when it was stored.
SELECT key, coalesce(id, unsubscribed), coalesce(email, value), coalesce(inactive, 0) OR unsubscribed IS NOT NULL
FROM (
    SELECT
        j.key, j.value, s.id, s.email, s.inactive,
        (
            SELECT u.subscriber FROM unsubscribed u
            WHERE u.account = ?1 AND u.reader = reader_hash((SELECT reader_key FROM outbox), j.value) AND u.lifted IS NULL
                AND (u.scope = 'account' OR u.mailer = ?3 OR u.scope = 'httpSendMail' AND ?3 IS NULL)
            LIMIT 1
        ) AS unsubscribed
    FROM json_each(?2) j
    LEFT JOIN subscribers s ON s.account = ?1 AND s.match_key = j.value
)
WHERE id IS NOT NULL OR unsubscribed IS NOT NULL
