-- Adds to the credits of account ?1. NULL is no limit, and stays NULL.
UPDATE accounts
SET
    subscriber_credit = CASE WHEN subscriber_credit + ?2 < 0 THEN 0 ELSE subscriber_credit + ?2 END,
    email_credit = CASE WHEN email_credit + ?3 < 0 THEN 0 ELSE email_credit + ?3 END
WHERE id = ?1
