-- The failed attempts and the events of delivery ?1, in the order of their times.
SELECT kind, status, reason, happened
FROM (
    SELECT 'postponed' AS kind, NULL AS status, a.reason, a.happened AS happened, 0 AS part, a.id AS place
    FROM attempts a
    WHERE a.delivery = ?1
    UNION ALL
    SELECT v.kind, v.status, v.reason, v.happened, 1, v.number
    FROM deliveries d
    JOIN events v ON v.account = d.account AND v.subscriber = d.subscriber AND v.delivery = d.id
    WHERE d.id = ?1
) became
ORDER BY happened, part, place
