-- All hits of the deliveries to which the $2 oldest hits belong that can be decided. A hit can be decided after $1 seconds.
SELECT
    h.id, h.delivery, h.link, h.reason, floor(extract(epoch FROM h.happened))::bigint,
    h.decided OR h.happened > clock_timestamp() - make_interval(secs => $1),
    CASE WHEN d.state = 'delivered' THEN floor(extract(epoch FROM d.ended))::bigint END
FROM (
    SELECT DISTINCT delivery FROM (
        SELECT delivery FROM hits
        WHERE NOT decided AND happened <= clock_timestamp() - make_interval(secs => $1)
        ORDER BY happened
        LIMIT $2
    ) o
) u
JOIN hits h ON h.delivery = u.delivery
LEFT JOIN deliveries d ON d.id = h.delivery
ORDER BY h.delivery, h.happened, h.id
