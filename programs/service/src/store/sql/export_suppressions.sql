SELECT x.id, s.email, x.cause
FROM suppressions x
JOIN subscribers s ON s.account = x.account AND s.id = x.subscriber
WHERE x.account = ?1 AND x.id > ?2 AND x.lifted IS NULL
ORDER BY x.id
LIMIT 1000
