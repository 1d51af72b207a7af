-- The last call with request id ?1.
WHERE t.request = ?1
ORDER BY t.id DESC
LIMIT 1
