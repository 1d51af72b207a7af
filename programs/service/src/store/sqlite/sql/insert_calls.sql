INSERT INTO calls (id, account, operation, emails, subscribers)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
FROM jsonb_each(?1)
