-- What has ended is not read: of a large database nearly everything has.
SELECT
    count(*) FILTER (WHERE due <= unixepoch()),
    count(*) FILTER (WHERE due > unixepoch()),
    NULL,
    min(due) FILTER (WHERE due > unixepoch()) - unixepoch(),
    (SELECT paused FROM outbox)
FROM deliveries
WHERE state = 'queued'
