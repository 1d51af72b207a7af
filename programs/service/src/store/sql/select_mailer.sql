SELECT m.from_address, m.from_name, m.subject, m.list_unsubscribe, m.unsubscribe, m.revision, c.html
FROM mailers m
JOIN contents c ON c.hash = m.content
WHERE m.account = ?1 AND m.id = ?2
