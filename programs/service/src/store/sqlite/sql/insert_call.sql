INSERT INTO calls (id, account, operation, emails, subscribers)
VALUES (?1, ?2, ?3, ?4, ?5)
