SELECT id, received, kind, status, reason, matched, account, subscriber, delivery, undone_reason
FROM reports
WHERE id > ?1
ORDER BY id
LIMIT ?2
