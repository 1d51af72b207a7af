UPDATE accounts SET http_unsubscribe = $2 WHERE id = $1
RETURNING id
