-- Notes that the operator ?4 gives account ?1 the credits ?2 and ?3, or takes them if they are negative, down to zero at most. A
-- credit without limit does not change.
INSERT INTO credit_changes (account, subscriber, email, operator)
SELECT
    account,
    CASE WHEN subscribers IS NULL THEN 0 WHEN subscribers + ?2 < 0 THEN -subscribers ELSE ?2 END,
    CASE WHEN emails IS NULL THEN 0 WHEN emails + ?3 < 0 THEN -emails ELSE ?3 END,
    ?4
FROM credits
WHERE account = ?1
