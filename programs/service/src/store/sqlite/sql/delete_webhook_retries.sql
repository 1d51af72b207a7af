-- Deletes the retries of webhook ?1 that are done.
DELETE FROM webhook_retries WHERE webhook = ?1 AND number IN (SELECT value FROM json_each(?2))
