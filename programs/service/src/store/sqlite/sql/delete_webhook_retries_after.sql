-- The events after number ?2 are posted again, so their retries are deleted.
DELETE FROM webhook_retries WHERE webhook = ?1 AND number > ?2
