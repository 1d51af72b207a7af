UPDATE accounts
SET blocked = coalesce($2, blocked), expired = coalesce($3, expired), deactivated = coalesce($4, deactivated)
WHERE id = $1
RETURNING 1
