SELECT
    c.id,
    c.account,
    c.emails,
    c.subscribers,
    (SELECT count(*) FROM messages m WHERE m.call = c.id),
    (SELECT count(*) FROM deliveries d WHERE d.call = c.id)
FROM calls c
WHERE c.id = $1
