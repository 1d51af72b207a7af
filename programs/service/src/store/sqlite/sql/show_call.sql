SELECT
    c.id, c.created, c.operation, c.emails, c.subscribers, c.account,
    (SELECT count(*) FROM deliveries d WHERE d.call = c.id AND d.state = 'queued'),
    (SELECT count(*) FROM deliveries d WHERE d.call = c.id AND d.state = 'delivered'),
    (SELECT count(*) FROM deliveries d WHERE d.call = c.id AND d.state = 'bounced'),
    (SELECT count(*) FROM left_out l WHERE l.call = c.id)
FROM calls c
WHERE c.id = ?1
