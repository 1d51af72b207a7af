-- Up to ?3 events of account ?1 after number ?2. Each row also has the number up to which events are deleted and the last
-- number, in the same snapshot. There is a row even without events.
SELECT n.gone, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0), e.*
FROM event_numbers n
LEFT JOIN (
    SELECT
        v.number, v.kind, d.call, m.custom_field, coalesce(d.to_address, s.email) AS recipient, v.status, v.reason, v.happened
    FROM events v
    LEFT JOIN deliveries d ON d.id = v.delivery
    LEFT JOIN messages m ON m.call = d.call AND m.position = d.message
    LEFT JOIN subscribers s ON s.account = v.account AND s.id = v.subscriber
    WHERE v.account = ?1 AND v.number > ?2
    ORDER BY v.number
    LIMIT ?3
) e ON true
ORDER BY e.number
