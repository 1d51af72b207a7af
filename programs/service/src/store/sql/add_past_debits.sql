INSERT INTO past_debits (account, subscribers, emails)
VALUES (?1, ?2, ?3)
ON CONFLICT (account) DO UPDATE
SET subscribers = past_debits.subscribers + excluded.subscribers, emails = past_debits.emails + excluded.emails
