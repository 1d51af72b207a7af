-- Queues delivery ?1 again. An email of httpSendMail has a role.
INSERT INTO queue (delivery, account, traffic_class)
SELECT id, account, role IS NOT NULL
FROM deliveries
WHERE id = ?1
