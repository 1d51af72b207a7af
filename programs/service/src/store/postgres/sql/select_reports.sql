SELECT id, floor(extract(epoch FROM received))::bigint, kind, status, reason, matched, account, subscriber, delivery, undone_reason
FROM reports
WHERE id > $1
ORDER BY id
LIMIT $2
