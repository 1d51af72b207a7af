INSERT INTO reports (digest, kind, status, reason, matched, account, subscriber, delivery)
SELECT $1, $2, $3, $4, CASE WHEN d.id IS NOT NULL THEN $5::text END, d.account, d.subscriber, d.id
FROM (SELECT $6::bigint AS id) q
LEFT JOIN deliveries d ON d.id = q.id
WHERE true
ON CONFLICT (digest) DO NOTHING
RETURNING id, delivery
