-- Leases up to $1 webhooks that have something to post, for $2 seconds. Those whose lease ended longest ago come first. A webhook
-- gets no new events while $3 of its events wait to be tried again.
WITH due AS MATERIALIZED (
    SELECT w.id
    FROM webhooks w
    WHERE w.disabled IS NULL
        AND w.leased <= clock_timestamp()
        AND (
            EXISTS (SELECT FROM webhook_retries r WHERE r.webhook = w.id AND r.due <= clock_timestamp())
            OR EXISTS (SELECT FROM events e WHERE e.account = w.account AND e.number > w.position)
            AND (SELECT count(*) FROM webhook_retries r WHERE r.webhook = w.id) < $3
        )
    ORDER BY w.leased, w.id
    LIMIT $1
    FOR UPDATE SKIP LOCKED
)
UPDATE webhooks w
SET leased = clock_timestamp() + make_interval(secs => $2)
FROM due d
WHERE w.id = d.id
RETURNING
    w.id, w.account, w.url, w.kinds, w.secret, w.secret_before, w.position, w.failing,
    floor(extract(epoch FROM w.succeeded))::bigint,
    (SELECT count(*) FROM webhook_retries r WHERE r.webhook = w.id)
