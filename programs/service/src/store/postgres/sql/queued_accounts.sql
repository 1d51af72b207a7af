SELECT account
FROM queued
WHERE ($2::bigint IS NULL OR account = $2)
    AND ($3::bigint IS NULL OR account = (SELECT c.account FROM calls c WHERE c.id = $3))
