-- The seconds from ?4 until a delivery of the accounts after ?1, except ?3, is due that is not among the claimed ones ?2. NULL
-- if nothing waits or everything is paused.
SELECT min((
    SELECT w.due FROM queue w
    WHERE w.account = q.account AND w.traffic_class = l.value
        AND w.delivery NOT IN (SELECT value FROM json_each(?2))
    ORDER BY w.due
    LIMIT 1
)) - ?4
FROM queued q
CROSS JOIN json_each('[0,1]') l
WHERE q.account IS NOT NULL
    AND q.account NOT IN (SELECT value FROM json_each(?3))
    AND NOT (SELECT paused FROM outbox)
    AND NOT (SELECT a.paused FROM accounts a WHERE a.id = q.account)
