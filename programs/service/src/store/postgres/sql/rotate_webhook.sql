-- Gives webhook $2 of account $1 a new secret if it has only one. Returns whether it did.
UPDATE webhooks
SET secret_before = coalesce(secret_before, secret), secret = CASE WHEN secret_before IS NULL THEN $3 ELSE secret END
WHERE account = $1 AND id = $2
RETURNING secret = $3
