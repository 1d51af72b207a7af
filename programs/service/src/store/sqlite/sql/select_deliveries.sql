SELECT
    d.id, d.account, d.call, d.created, d.to_address, m.from_address, m.mailer, m.custom_field, d.state, d.cancelled,
    d.attempts, q.due, d.ended, d.reason
FROM deliveries d
JOIN messages m ON m.call = d.call AND m.position = d.message
LEFT JOIN queue q ON q.delivery = d.id
