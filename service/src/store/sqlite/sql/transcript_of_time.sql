-- The first kept call from time ?1 on.
SELECT id FROM transcripts WHERE received >= ?1 ORDER BY received, id LIMIT 1
