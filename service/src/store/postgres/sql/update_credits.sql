UPDATE accounts SET subscriber_credit = $2, email_credit = $3 WHERE id = $1
RETURNING 1
