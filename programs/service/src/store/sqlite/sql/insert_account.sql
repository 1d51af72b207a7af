INSERT INTO accounts (name, blocked, expired, deactivated)
VALUES (?1, ?2, ?3, ?4)
RETURNING id
