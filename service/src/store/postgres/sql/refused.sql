-- Up to $5 refused calls from number $1 up to $2, at times from $3 up to $4, the last first.
WHERE t.call IS NULL
    AND t.id >= $1
    AND t.id < $2
    AND floor(extract(epoch FROM t.received))::bigint >= $3
    AND floor(extract(epoch FROM t.received))::bigint < $4
ORDER BY t.id DESC
LIMIT $5
