SELECT kind, delivery, report, status, reason, floor(extract(epoch FROM happened))::bigint
FROM events
WHERE account = $1 AND subscriber = $2
ORDER BY added
