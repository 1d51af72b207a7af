SELECT
    d.id, d.account, d.call, floor(extract(epoch FROM d.created))::bigint, d.to_address, m.from_address, m.mailer, m.custom_field, d.state, d.cancelled,
    d.attempts, NULL::bigint, floor(extract(epoch FROM d.ended))::bigint, d.reason
FROM (
    -- Up to $9 bounced deliveries of account $1 before $4, newest first. Their index has no other deliveries.
    SELECT * FROM deliveries WHERE account = $1 AND state = 'bounced' AND id < $4 ORDER BY id DESC LIMIT $9
) d
JOIN calls c ON c.id = d.call AND c.created >= to_timestamp($2::bigint) AND c.created < to_timestamp($3::bigint)
JOIN messages m ON m.call = d.call AND m.position = d.message
LEFT JOIN subscribers s ON s.account = d.account AND s.id = d.subscriber
-- Of calls from time $2 up to $3. Domain $6 and custom field $7 are conditions only if they are not NULL. Up to $8 rows. The
-- state $5 is that of bounced deliveries.
WHERE d.state = $5
    AND ($6::text IS NULL OR right(s.match_key, length($6::text) + 1) = '@' || $6)
    AND ($7::bytea IS NULL OR m.custom_field = $7)
ORDER BY d.id DESC
LIMIT $8
