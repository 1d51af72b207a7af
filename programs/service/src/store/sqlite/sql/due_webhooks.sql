-- Up to ?1 webhooks that have something to post and that nobody holds. Those whose lease ended longest ago come first. A
-- webhook gets no new events while ?2 of its events wait to be tried again.
SELECT w.id
FROM webhooks w
WHERE w.disabled IS NULL
    AND w.leased <= unixepoch()
    AND (
        EXISTS (SELECT 1 FROM webhook_retries r WHERE r.webhook = w.id AND r.due <= unixepoch())
        OR EXISTS (SELECT 1 FROM events e WHERE e.account = w.account AND e.number > w.position)
        AND (SELECT count(*) FROM webhook_retries r WHERE r.webhook = w.id) < ?2
    )
ORDER BY w.leased, w.id
LIMIT ?1
