-- Deletes the values that emails of message ?2 of call ?1 were filled in with.
UPDATE deliveries SET fields = NULL WHERE call = ?1 AND message = ?2 AND fields IS NOT NULL
