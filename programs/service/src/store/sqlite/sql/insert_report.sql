INSERT INTO reports (digest, kind, status, reason, matched, account, subscriber, delivery)
SELECT ?1, ?2, ?3, ?4, iif(d.id IS NULL, NULL, ?5), d.account, d.subscriber, d.id
FROM (SELECT ?6 AS id) q
LEFT JOIN deliveries d ON d.id = q.id
WHERE true
ON CONFLICT (digest) DO NOTHING
RETURNING id, delivery
