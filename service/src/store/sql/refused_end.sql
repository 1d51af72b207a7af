-- The latest first, up to ?6 rows.
ORDER BY t.id DESC
LIMIT ?6
