-- Delivery ?1, which has ended, is due again.
UPDATE deliveries
SET state = 'queued', due = unixepoch(), attempts = 0, tried = NULL, cancelled = 0, ended = NULL
WHERE id = ?1 AND state <> 'queued'
