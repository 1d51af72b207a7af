UPDATE credits
SET
    subscribers = subscribers - ?2,
    emails = emails - ?3
WHERE
    account = ?1
    AND EXISTS (SELECT 1 FROM accounts WHERE id = ?1 AND NOT blocked AND NOT expired AND NOT deactivated)
    AND (?2 = 0 OR subscribers IS NULL OR subscribers >= ?2)
    AND (?3 = 0 OR emails IS NULL OR emails >= ?3)
