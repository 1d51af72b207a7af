-- Adds to the credits of account ?1. NULL is no limit, and stays NULL.
UPDATE credits
SET
    subscribers = CASE WHEN subscribers + ?2 < 0 THEN 0 ELSE subscribers + ?2 END,
    emails = CASE WHEN emails + ?3 < 0 THEN 0 ELSE emails + ?3 END
WHERE account = ?1
RETURNING account
