DELETE FROM transcripts
WHERE id IN (SELECT id FROM transcripts WHERE received <= ?1 ORDER BY received, id LIMIT 100)
RETURNING id
