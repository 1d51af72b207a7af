SELECT
    d.id, d.account, d.call, floor(extract(epoch FROM d.created))::bigint, d.to_address, m.from_address, m.mailer, m.custom_field, d.state, d.cancelled,
    d.attempts, floor(extract(epoch FROM q.due))::bigint, floor(extract(epoch FROM d.ended))::bigint, d.reason
FROM deliveries d
JOIN messages m ON m.call = d.call AND m.position = d.message
LEFT JOIN queue q ON q.delivery = d.id
