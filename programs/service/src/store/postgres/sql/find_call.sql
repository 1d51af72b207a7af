SELECT 1 FROM calls WHERE id = $1
