DELETE FROM reports
WHERE id IN (SELECT id FROM reports WHERE received <= unixepoch() - ?1 * 86400 ORDER BY received LIMIT ?2)
