-- Whether a webhook has something to post: as in claim_webhooks.
SELECT EXISTS (
    SELECT 1
    FROM webhooks w
    WHERE w.disabled IS NULL
        AND w.leased <= unixepoch()
        AND (
            EXISTS (SELECT 1 FROM webhook_retries r WHERE r.webhook = w.id AND r.due <= unixepoch())
            OR EXISTS (SELECT 1 FROM events e WHERE e.account = w.account AND e.number > w.position)
            AND (SELECT count(*) FROM webhook_retries r WHERE r.webhook = w.id) < ?1
        )
)
