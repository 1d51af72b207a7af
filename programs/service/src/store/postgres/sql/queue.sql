-- Counts the queued deliveries of each account after $1, up to $2 of each.
SELECT
    q.account,
    (SELECT a.paused FROM accounts a WHERE a.id = q.account),
    n.due, n.later, n.claimed,
    extract(epoch FROM c.now - (
        SELECT min(f.due)
        FROM (VALUES (0), (1)) l (traffic_class)
        CROSS JOIN LATERAL (
            SELECT w.due FROM queue w
            WHERE w.account = q.account AND w.traffic_class = l.traffic_class AND w.leased <= c.now
            ORDER BY w.due
            LIMIT 1
        ) f
    ))::double precision,
    extract(epoch FROM (
        SELECT min(f.due)
        FROM (VALUES (0), (1)) l (traffic_class)
        CROSS JOIN LATERAL (
            SELECT w.due FROM queue w
            WHERE w.account = q.account AND w.traffic_class = l.traffic_class AND w.due > c.now AND w.leased <= c.now
            ORDER BY w.due
            LIMIT 1
        ) f
    ) - c.now)::double precision
FROM queued q
CROSS JOIN (SELECT clock_timestamp() AS now) c
CROSS JOIN LATERAL (
    SELECT
        count(*) FILTER (WHERE w.due <= c.now AND w.leased <= c.now) AS due,
        count(*) FILTER (WHERE w.due > c.now AND w.leased <= c.now) AS later,
        count(*) FILTER (WHERE w.leased > c.now) AS claimed
    FROM (SELECT due, leased FROM queue WHERE account = q.account LIMIT $2) w
) n
