-- Unsubscribes the reader of delivery $1 from what the link in it offers. Nothing is inserted for a reader who is
-- unsubscribed already.
INSERT INTO unsubscribed (account, reader, scope, mailer, subscriber, delivery)
SELECT d.account, reader_hash((SELECT reader_key FROM outbox), s.match_key), m.unsubscribe, CASE WHEN m.unsubscribe = 'mailer' THEN m.mailer END, d.subscriber, d.id
FROM deliveries d
JOIN messages m ON m.call = d.call AND m.position = d.message
JOIN subscribers s ON s.account = d.account AND s.id = d.subscriber
WHERE d.id = $1 AND m.unsubscribe IS NOT NULL
ON CONFLICT DO NOTHING
