-- Up to ?2 kept calls that came more than ?1 days ago, the oldest first.
DELETE FROM transcripts
WHERE id IN (
    SELECT id FROM transcripts WHERE received <= unixepoch() - ?1 * 86400 ORDER BY received, id LIMIT ?2
)
