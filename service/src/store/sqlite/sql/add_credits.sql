UPDATE accounts
SET subscriber_credit = max(subscriber_credit + ?2, 0), email_credit = max(email_credit + ?3, 0)
WHERE id = ?1
