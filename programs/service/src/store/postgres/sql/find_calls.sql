SELECT id FROM calls WHERE id = ANY ($1::bigint[])
