DELETE FROM blacklist WHERE domain = $1
RETURNING 1
