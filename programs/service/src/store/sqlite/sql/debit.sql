UPDATE accounts
SET
    subscriber_credit = subscriber_credit - ?2,
    email_credit = email_credit - ?3
WHERE
    id = ?1
    AND NOT blocked
    AND NOT expired
    AND NOT deactivated
    AND (?2 = 0 OR subscriber_credit IS NULL OR subscriber_credit >= ?2)
    AND (?3 = 0 OR email_credit IS NULL OR email_credit >= ?3)
