-- The last first, up to ?6.
ORDER BY t.id DESC
LIMIT ?6
