-- Notes the credits with which account ?1 is made, if it has a limit.
INSERT INTO credit_changes (account, subscriber, email, operator)
SELECT ?1, coalesce(?2, 0), coalesce(?3, 0), ?4
WHERE coalesce(?2, ?3) IS NOT NULL
