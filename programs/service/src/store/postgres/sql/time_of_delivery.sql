-- The time of the call of delivery $1, and that of the delivery. If the delivery is no longer kept, the one before it counts.
SELECT c.created, d.created
FROM deliveries d
JOIN calls c ON c.id = d.call
WHERE d.id <= $1
ORDER BY d.id DESC
LIMIT 1
