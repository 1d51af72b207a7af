-- Counts the queued deliveries of each account after ?1: up to ?2 that are due, and up to ?2 that are not. Only the index is
-- read.
SELECT
    q.account,
    (SELECT a.paused FROM accounts a WHERE a.id = q.account),
    (
        SELECT count(*)
        FROM (
            SELECT 1 FROM queue w
            WHERE w.account = q.account AND w.traffic_class IN (0, 1) AND w.due <= unixepoch()
            LIMIT ?2
        )
    ),
    (
        SELECT count(*)
        FROM (
            SELECT 1 FROM queue w
            WHERE w.account = q.account AND w.traffic_class IN (0, 1) AND w.due > unixepoch()
            LIMIT ?2
        )
    ),
    unixepoch() - (
        SELECT min((SELECT min(w.due) FROM queue w WHERE w.account = q.account AND w.traffic_class = l.traffic_class))
        FROM (SELECT 0 AS traffic_class UNION ALL SELECT 1) l
    ),
    (
        SELECT min((
            SELECT min(w.due) FROM queue w
            WHERE w.account = q.account AND w.traffic_class = l.traffic_class AND w.due > unixepoch()
        ))
        FROM (SELECT 0 AS traffic_class UNION ALL SELECT 1) l
    ) - unixepoch()
FROM queued q
WHERE q.account IS NOT NULL
