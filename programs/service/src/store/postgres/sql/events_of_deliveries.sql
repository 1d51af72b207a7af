-- The failed attempts and the events of the deliveries $1, in the order of their times.
SELECT delivery, kind, status, reason, happened
FROM (
    SELECT a.delivery, 'postponed' AS kind, NULL AS status, a.reason, floor(extract(epoch FROM a.happened))::bigint AS happened, 0 AS part, a.id AS place
    FROM attempts a
    WHERE a.delivery = ANY($1)
    UNION ALL
    SELECT d.id, v.kind, v.status, v.reason, floor(extract(epoch FROM v.happened))::bigint, 1, v.added
    FROM deliveries d
    JOIN events v ON v.account = d.account AND v.subscriber = d.subscriber AND v.delivery = d.id
    WHERE d.id = ANY($1)
) became
ORDER BY happened, part, place
