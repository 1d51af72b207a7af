-- Deletes the retries of events that are deleted.
DELETE FROM webhook_retries WHERE number <= ?1
