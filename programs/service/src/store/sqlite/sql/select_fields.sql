SELECT name, value FROM subscriber_fields WHERE account = ?1 AND subscriber = ?2 AND value <> ''
ORDER BY name
