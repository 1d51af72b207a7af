DELETE FROM reports
WHERE id IN (SELECT id FROM reports WHERE received <= ?1 ORDER BY received LIMIT 100)
RETURNING id
