-- Makes a subscriber active, unless it is still suppressed.
UPDATE subscribers SET inactive = false
WHERE account = $1 AND id = $2
    AND NOT EXISTS (
        SELECT 1 FROM suppressions x WHERE x.account = $1 AND x.subscriber = $2 AND x.lifted IS NULL
    )
