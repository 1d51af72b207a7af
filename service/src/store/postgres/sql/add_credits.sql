-- The greatest of NULL and 0 would be 0: no limit stays none.
UPDATE accounts
SET
    subscriber_credit = CASE WHEN subscriber_credit IS NOT NULL THEN greatest(subscriber_credit + $2, 0) END,
    email_credit = CASE WHEN email_credit IS NOT NULL THEN greatest(email_credit + $3, 0) END
WHERE id = $1
RETURNING 1
