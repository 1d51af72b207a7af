-- What has ended is not read: of a large database nearly everything has.
SELECT
    count(*) FILTER (WHERE d.due <= c.now),
    count(*) FILTER (WHERE d.due > c.now AND d.claim IS NULL),
    count(*) FILTER (WHERE d.due > c.now AND d.claim IS NOT NULL),
    extract(epoch FROM min(d.due) FILTER (WHERE d.due > c.now AND d.claim IS NULL) - c.now)::double precision,
    (SELECT paused FROM outbox)
FROM (SELECT clock_timestamp() AS now) c
LEFT JOIN deliveries d ON d.state = 'queued'
GROUP BY c.now
