WHERE d.id = $1
