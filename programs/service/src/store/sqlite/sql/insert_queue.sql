-- Queues the deliveries after ?1. An email of httpSendMail has a role.
INSERT INTO queue (delivery, account, traffic_class)
SELECT id, account, role IS NOT NULL
FROM deliveries
WHERE id > ?1
