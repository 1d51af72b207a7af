INSERT INTO accounts (name, blocked, expired, deactivated, subscriber_credit, email_credit)
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING id
