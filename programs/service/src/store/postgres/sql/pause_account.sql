UPDATE accounts SET paused = $2 WHERE id = $1 RETURNING id
