-- Whether webhook ?2 of account ?1 had one secret alone, and has a new one now.
UPDATE webhooks
SET secret_before = coalesce(secret_before, secret), secret = CASE WHEN secret_before IS NULL THEN ?3 ELSE secret END
WHERE account = ?1 AND id = ?2
RETURNING secret = ?3
