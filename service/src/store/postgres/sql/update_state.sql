UPDATE accounts SET blocked = $2, expired = $3, deactivated = $4 WHERE id = $1
RETURNING 1
