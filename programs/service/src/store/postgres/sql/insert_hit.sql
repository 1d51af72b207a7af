-- Inserts a hit of delivery $1, unless the delivery has $6 hits already.
INSERT INTO hits (delivery, link, reason, address, agent)
SELECT $1, $2, $3, $4, $5
WHERE (SELECT count(*) FROM hits WHERE delivery = $1) < $6
