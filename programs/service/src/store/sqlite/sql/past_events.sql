SELECT kind, delivery, report, status, reason, happened
FROM events
WHERE account = ?1 AND subscriber = ?2
ORDER BY number
