-- Counts what waits of the accounts after $1 that have something queued, up to $2 deliveries of each. Only the index is
-- read.
SELECT
    q.account,
    (SELECT a.paused FROM accounts a WHERE a.id = q.account),
    w.due, w.later, w.claimed,
    extract(epoch FROM c.now - (
        SELECT min(f.due)
        FROM (VALUES (0), (1)) l (traffic_class)
        CROSS JOIN LATERAL (
            SELECT d.due FROM deliveries d
            WHERE d.account = q.account AND d.traffic_class = l.traffic_class AND d.state = 'queued'
            ORDER BY d.due
            LIMIT 1
        ) f
    ))::double precision,
    extract(epoch FROM (
        SELECT min(f.due)
        FROM (VALUES (0), (1)) l (traffic_class)
        CROSS JOIN LATERAL (
            SELECT d.due FROM deliveries d
            WHERE d.account = q.account AND d.traffic_class = l.traffic_class AND d.state = 'queued' AND d.due > c.now AND d.claim IS NULL
            ORDER BY d.due
            LIMIT 1
        ) f
    ) - c.now)::double precision
FROM queued q
CROSS JOIN (SELECT clock_timestamp() AS now) c
CROSS JOIN LATERAL (
    SELECT
        count(*) FILTER (WHERE d.due <= c.now) AS due,
        count(*) FILTER (WHERE d.due > c.now AND d.claim IS NULL) AS later,
        count(*) FILTER (WHERE d.due > c.now AND d.claim IS NOT NULL) AS claimed
    FROM (SELECT e.due, e.claim FROM deliveries e WHERE e.account = q.account AND e.state = 'queued' LIMIT $2) d
) w
