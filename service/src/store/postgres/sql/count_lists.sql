SELECT count(*) FROM lists WHERE account = $1 AND name = ANY($2::text[])
