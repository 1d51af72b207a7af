-- Deletes the content with hash ?1 if nothing uses it. Because of the ORDER BY, the database searches an index, however many
-- messages share a content.
DELETE FROM contents
WHERE hash = ?1
    AND (SELECT m.content FROM messages m WHERE m.content >= ?1 ORDER BY m.content LIMIT 1) IS DISTINCT FROM ?1
    AND (SELECT m.content FROM mailers m WHERE m.content >= ?1 ORDER BY m.content LIMIT 1) IS DISTINCT FROM ?1
RETURNING hash
