-- Up to $2 deliveries of account $1 that wait, the one that is due first before the others.
WHERE d.account = $1 AND d.lane IN (0, 1) AND d.state = 'queued'
ORDER BY d.due, d.id
LIMIT $2
