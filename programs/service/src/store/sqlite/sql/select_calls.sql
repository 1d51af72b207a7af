SELECT
    c.id,
    c.account,
    c.emails,
    c.subscribers,
    (SELECT count(*) FROM messages m WHERE m.call = c.id),
    (SELECT count(*) FROM deliveries d WHERE d.call = c.id),
    (SELECT count(*) FROM deliveries d WHERE d.call = c.id AND d.state = 'delivered'),
    (SELECT count(*) FROM deliveries d WHERE d.call = c.id AND d.state = 'bounced')
FROM calls c
WHERE c.account = ?1
ORDER BY c.created, c.id
