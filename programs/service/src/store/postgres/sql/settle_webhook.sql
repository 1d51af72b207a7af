-- Settles a round of webhook $1. Returns whether the webhook is enabled. Its position is not changed if it was set in the
-- meantime.
UPDATE webhooks
SET
    position = CASE WHEN position = $2 THEN $3 ELSE position END,
    failing = coalesce(NOT $4, failing),
    succeeded = CASE WHEN $4 THEN clock_timestamp() ELSE succeeded END,
    disabled = coalesce(disabled, $5),
    leased = clock_timestamp() + make_interval(secs => $6)
WHERE id = $1
RETURNING account, disabled IS NULL
