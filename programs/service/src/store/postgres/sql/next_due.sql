-- The seconds until something of the accounts after $1, except $2, can be claimed. They are counted from now or from $3,
-- whichever is later. NULL if nothing waits or everything is paused.
SELECT extract(epoch FROM min((
    SELECT d.due FROM deliveries d
    WHERE d.account = q.account AND d.traffic_class = l.traffic_class AND d.state = 'queued'
    ORDER BY d.due
    LIMIT 1
)) - greatest(clock_timestamp(), $3::timestamptz))::double precision
FROM queued q
CROSS JOIN (VALUES (0), (1)) l (traffic_class)
WHERE q.account <> ALL ($2::bigint[])
    AND NOT (SELECT paused FROM outbox)
    AND NOT (SELECT a.paused FROM accounts a WHERE a.id = q.account)
