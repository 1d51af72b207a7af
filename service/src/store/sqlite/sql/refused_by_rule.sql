-- Up to ?5 refused calls by rule ?6 from number ?1 up to ?2, at times from ?3 up to ?4, the last first.
WHERE t.call IS NULL
    AND t.id >= ?1
    AND t.id < ?2
    AND t.received >= ?3
    AND t.received < ?4
    AND t.rule = ?6
ORDER BY t.id DESC
LIMIT ?5
