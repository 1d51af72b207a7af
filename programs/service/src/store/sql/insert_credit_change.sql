-- Notes that the operator ?4 adds ?2 and ?3 to the credits of account ?1. At most what is there is taken, and a credit without
-- limit does not change.
INSERT INTO credit_changes (account, subscriber, email, operator)
SELECT
    account,
    CASE WHEN subscribers IS NULL THEN 0 WHEN subscribers + ?2 < 0 THEN -subscribers ELSE ?2 END,
    CASE WHEN emails IS NULL THEN 0 WHEN emails + ?3 < 0 THEN -emails ELSE ?3 END,
    ?4
FROM credits
WHERE account = ?1
