SELECT id, from_address, from_name, subject FROM mailers WHERE account = $1 ORDER BY id
