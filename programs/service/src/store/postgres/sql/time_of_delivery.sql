-- The times of the call of delivery $1, and of the delivery itself. If it is no longer kept, those of the one before it.
SELECT c.created, d.created
FROM deliveries d
JOIN calls c ON c.id = d.call
WHERE d.id <= $1
ORDER BY d.id DESC
LIMIT 1
