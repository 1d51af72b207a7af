SELECT account
FROM queued
WHERE account IS NOT NULL
    AND (?2 IS NULL OR account = ?2)
    AND (?3 IS NULL OR account = (SELECT c.account FROM calls c WHERE c.id = ?3))
