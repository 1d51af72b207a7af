-- Deletes all but the last ?2 attempts of webhook ?1.
DELETE FROM webhook_attempts
WHERE webhook = ?1 AND id <= (SELECT id FROM webhook_attempts WHERE webhook = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
