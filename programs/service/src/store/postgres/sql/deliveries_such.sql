SELECT
    d.id, d.account, d.call, floor(extract(epoch FROM d.created))::bigint, d.to_address, m.from_address, m.mailer, m.custom_field, d.state, d.cancelled,
    d.attempts, floor(extract(epoch FROM q.due))::bigint, floor(extract(epoch FROM d.ended))::bigint, d.reason
FROM calls c
JOIN deliveries d ON d.call = c.id
JOIN messages m ON m.call = d.call AND m.position = d.message
LEFT JOIN queue q ON q.delivery = d.id
LEFT JOIN subscribers s ON s.account = d.account AND s.id = d.subscriber
-- Up to $8 deliveries of account $1, newest first: of calls from time $2 on, and before delivery $4 of a call at time $3. State $5, domain
-- $6 and custom field $7 are conditions only if they are not NULL.
WHERE c.account = $1 AND c.created >= to_timestamp($2::bigint) AND c.created <= $3::timestamptz
    AND (c.created, d.id) < ($3::timestamptz, $4::bigint)
    AND ($5::text IS NULL OR d.state = $5)
    AND ($6::text IS NULL OR right(s.match_key, length($6::text) + 1) = '@' || $6)
    AND ($7::bytea IS NULL OR m.custom_field = $7)
ORDER BY c.created DESC, d.id DESC
LIMIT $8
