-- Suppresses subscribers of account ?1, each given by its match key and a cause.
INSERT INTO suppressions (account, subscriber, cause, was_active)
SELECT
    s.account, s.id, j.value ->> 1,
    NOT s.inactive OR EXISTS (
        SELECT 1 FROM suppressions x
        WHERE x.account = s.account AND x.subscriber = s.id AND x.lifted IS NULL AND x.was_active
    )
FROM rows(?2) j
JOIN subscribers s ON s.account = ?1 AND s.match_key = j.value ->> 0
WHERE true
ON CONFLICT DO NOTHING
