SELECT
    d.id, d.account, d.call, d.created, d.to_address, m.from_address, m.mailer, m.custom_field, d.state, d.cancelled,
    d.attempts, q.due, d.ended, d.reason
FROM calls c
CROSS JOIN deliveries d ON d.call = c.id
CROSS JOIN messages m ON m.call = d.call AND m.position = d.message
LEFT JOIN queue q ON q.delivery = d.id
LEFT JOIN subscribers s ON s.account = d.account AND s.id = d.subscriber
-- Up to ?8 deliveries of account ?1, newest first: of calls from time ?2 on, and before delivery ?4 of a call at time ?3. State ?5, domain
-- ?6 and custom field ?7 are conditions only if they are not NULL.
WHERE c.account = ?1 AND c.created >= ?2 AND c.created <= ?3
    AND (c.created, d.id) < (?3, ?4)
    AND (?5 IS NULL OR d.state = ?5)
    AND (?6 IS NULL OR substr(s.match_key, -length(?6) - 1) = '@' || ?6)
    AND (?7 IS NULL OR m.custom_field = ?7)
ORDER BY c.created DESC, d.id DESC
LIMIT ?8
