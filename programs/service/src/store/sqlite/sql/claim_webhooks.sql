-- Leases the webhooks ?1 for ?2 seconds. One process serves the database, so nobody else has claimed them in the meantime.
UPDATE webhooks
SET leased = unixepoch() + ?2
WHERE id IN (SELECT value FROM json_each(?1)) AND disabled IS NULL
RETURNING
    id, account, url, kinds, secret, secret_before, position, failing, succeeded,
    (SELECT count(*) FROM webhook_retries r WHERE r.webhook = webhooks.id)
