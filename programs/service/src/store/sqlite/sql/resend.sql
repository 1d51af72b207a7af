-- Makes delivery ?1 due again if it has ended.
UPDATE deliveries
SET state = 'queued', attempts = 0, tried = NULL, cancelled = 0, ended = NULL
WHERE id = ?1 AND state <> 'queued'
