INSERT INTO suppressions (account, subscriber, cause, report, status, reason, was_active)
SELECT
    s.account, s.id, $3::text, $4::bigint, $5::text, $6::text,
    NOT s.inactive OR EXISTS (
        SELECT 1 FROM suppressions x
        WHERE x.account = s.account AND x.subscriber = s.id AND x.lifted IS NULL AND x.was_active
    )
FROM subscribers s
WHERE s.account = $1 AND s.id = $2
ON CONFLICT DO NOTHING
