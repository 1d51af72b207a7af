-- They are posted anew.
DELETE FROM webhook_retries WHERE webhook = ?1 AND number > ?2
