-- The time of the call of delivery ?1. If that delivery is not kept any more, of the one before it.
SELECT c.created
FROM deliveries d
JOIN calls c ON c.id = d.call
WHERE d.id <= ?1
ORDER BY d.id DESC
LIMIT 1
