SELECT
    count(*) FILTER (WHERE state = 'queued' AND due <= unixepoch()),
    count(*) FILTER (WHERE state = 'queued' AND due > unixepoch()),
    NULL,
    count(*) FILTER (WHERE state = 'delivered'),
    count(*) FILTER (WHERE state = 'bounced'),
    min(due) FILTER (WHERE state = 'queued' AND due > unixepoch()) - unixepoch(),
    (SELECT paused FROM outbox)
FROM deliveries
