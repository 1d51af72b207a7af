-- The first kept call from time $1 on.
SELECT id FROM transcripts WHERE received >= to_timestamp($1::bigint) ORDER BY received, id LIMIT 1
