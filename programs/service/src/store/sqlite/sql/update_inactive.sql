-- A suppressed subscriber stays INACTIVE.
UPDATE subscribers
SET inactive = ?3 OR EXISTS (
    SELECT 1 FROM suppressions x
    WHERE x.account = ?1 AND x.subscriber = ?2 AND x.lifted IS NULL
)
WHERE account = ?1 AND id = ?2
RETURNING inactive
