-- Up to $3 calls of account $1 before call $2, from time $4 up to $5, newest first.
SELECT c.id, floor(extract(epoch FROM c.created))::bigint, c.operation, c.emails, c.subscribers
FROM calls c
WHERE c.account = $1
    AND ($2::bigint IS NULL OR (c.created, c.id) < (SELECT b.created, b.id FROM calls b WHERE b.id = $2))
    AND c.created >= to_timestamp($4::bigint) AND c.created < to_timestamp($5::bigint)
ORDER BY c.created DESC, c.id DESC
LIMIT $3
