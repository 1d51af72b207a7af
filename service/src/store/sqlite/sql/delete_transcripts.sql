-- Up to ?2 kept calls that are older than ?1 days, the oldest first.
DELETE FROM transcripts
WHERE id IN (
    SELECT id FROM transcripts WHERE received <= unixepoch() - ?1 * 86400 ORDER BY received, id LIMIT ?2
)
