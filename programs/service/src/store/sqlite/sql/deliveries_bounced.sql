SELECT
    d.id, d.account, d.call, d.created, d.to_address, m.from_address, m.mailer, m.custom_field, d.state, d.cancelled,
    d.attempts, NULL, d.ended, d.reason
FROM deliveries d
CROSS JOIN messages m ON m.call = d.call AND m.position = d.message
LEFT JOIN subscribers s ON s.account = d.account AND s.id = d.subscriber
-- Up to ?8 bounced deliveries of account ?1, newest first: from delivery ?5 at time ?2 on, and before delivery ?4 at time ?3. Their index
-- has only bounced deliveries. Domain ?6 and custom field ?7 are conditions only if they are not NULL.
WHERE d.account = ?1 AND d.state = 'bounced' AND (d.created, d.id) >= (?2, ?5) AND (d.created, d.id) < (?3, ?4)
    AND (?6 IS NULL OR substr(s.match_key, -length(?6) - 1) = '@' || ?6)
    AND (?7 IS NULL OR m.custom_field = ?7)
ORDER BY d.created DESC, d.id DESC
LIMIT ?8
