SELECT
    count(*) FILTER (WHERE state = 'queued' AND due <= c.now),
    count(*) FILTER (WHERE state = 'queued' AND due > c.now AND claim IS NULL),
    count(*) FILTER (WHERE state = 'queued' AND due > c.now AND claim IS NOT NULL),
    count(*) FILTER (WHERE state = 'delivered'),
    count(*) FILTER (WHERE state = 'bounced'),
    extract(epoch FROM min(due) FILTER (WHERE state = 'queued' AND due > c.now AND claim IS NULL) - c.now)::double precision,
    (SELECT paused FROM outbox)
FROM (SELECT clock_timestamp() AS now) c
LEFT JOIN deliveries ON true
GROUP BY c.now
