-- How many of the subscribers ?2 exist, and how many of these are INACTIVE or have unsubscribed from what they are sent: the
-- stored email ?3, or an email of httpSendMail.
SELECT
    count(*),
    coalesce(sum(s.inactive OR EXISTS (
        SELECT 1 FROM unsubscribed u
        WHERE u.account = ?1 AND u.reader = reader_hash((SELECT reader_key FROM outbox), s.match_key) AND u.lifted IS NULL
            AND (u.scope = 'account' OR u.mailer = ?3 OR u.scope = 'httpSendMail' AND ?3 IS NULL)
    )), 0)
FROM subscribers s
WHERE s.account = ?1 AND s.id IN (SELECT value FROM json_each(?2))
