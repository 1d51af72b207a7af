-- What became of delivery ?1, in the order in which it was told.
SELECT v.kind, v.status, v.reason, v.happened
FROM deliveries d
JOIN events v ON v.account = d.account AND v.subscriber = d.subscriber AND v.delivery = d.id
WHERE d.id = ?1
ORDER BY v.number
