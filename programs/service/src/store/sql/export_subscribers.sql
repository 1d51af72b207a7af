-- Up to 1,000 subscribers of account ?1 after number ?2, each with whether it would be INACTIVE without suppressions.
SELECT
    s.id, s.email,
    s.inactive AND NOT EXISTS (
        SELECT 1 FROM suppressions x
        WHERE x.account = s.account AND x.subscriber = s.id AND x.lifted IS NULL AND x.was_active
    )
FROM subscribers s
WHERE s.account = ?1 AND s.id > ?2
ORDER BY s.id
LIMIT 1000
