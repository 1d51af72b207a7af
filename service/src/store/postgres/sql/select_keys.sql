SELECT id, extract(epoch FROM created)::bigint FROM keys WHERE account = $1 ORDER BY id
