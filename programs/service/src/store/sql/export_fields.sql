SELECT subscriber, name, value
FROM subscriber_fields
WHERE account = ?1 AND subscriber > ?2 AND subscriber <= ?3
ORDER BY subscriber, name
