-- The seconds until a delivery of the accounts after $1, except $2, can be claimed. They are counted from now or from $3,
-- whichever is later. NULL if nothing waits or everything is paused. This is read when nothing can be claimed. So whatever is due
-- is claimed already, and can be claimed again at the end of its lease.
,
clock (now) AS MATERIALIZED (SELECT greatest(clock_timestamp(), $3::timestamptz))
SELECT extract(epoch FROM min(least(
    (
        SELECT min(greatest(w.due, w.leased)) FROM queue w
        WHERE w.account = q.account AND w.traffic_class = l.traffic_class AND w.due <= (SELECT now FROM clock)
    ),
    (
        SELECT w.due FROM queue w
        WHERE w.account = q.account AND w.traffic_class = l.traffic_class AND w.due > (SELECT now FROM clock)
        ORDER BY w.due
        LIMIT 1
    )
)) - (SELECT now FROM clock))::double precision
FROM queued q
CROSS JOIN (VALUES (0), (1)) l (traffic_class)
WHERE q.account <> ALL ($2::bigint[])
    AND NOT (SELECT paused FROM outbox)
    AND NOT (SELECT a.paused FROM accounts a WHERE a.id = q.account)
