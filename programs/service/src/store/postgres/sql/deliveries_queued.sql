-- Up to $2 waiting deliveries of account $1, in the order in which they are due. Each value of traffic_class is a separate range of
-- the index.
WHERE d.id IN (
    SELECT delivery FROM (SELECT delivery FROM queue WHERE account = $1 AND traffic_class = 0 ORDER BY due, delivery LIMIT $2) a
    UNION ALL
    SELECT delivery FROM (SELECT delivery FROM queue WHERE account = $1 AND traffic_class = 1 ORDER BY due, delivery LIMIT $2) b
)
ORDER BY q.due, d.id
LIMIT $2
