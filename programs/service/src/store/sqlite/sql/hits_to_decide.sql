-- All hits of the deliveries to which the ?2 oldest hits belong that can be decided. A hit can be decided after ?1 seconds.
SELECT
    h.id, h.delivery, h.link, h.reason, h.happened, h.decided OR h.happened > unixepoch() - ?1,
    CASE WHEN d.state = 'delivered' THEN d.ended END
FROM (
    SELECT DISTINCT delivery FROM (
        SELECT delivery FROM hits WHERE NOT decided AND happened <= unixepoch() - ?1 ORDER BY happened LIMIT ?2
    )
) u
JOIN hits h ON h.delivery = u.delivery
LEFT JOIN deliveries d ON d.id = h.delivery
ORDER BY h.delivery, h.happened, h.id
