DELETE FROM calls
WHERE id IN (SELECT id FROM calls WHERE id > ?1 ORDER BY id LIMIT 100)
    AND id <= ?2 AND created <= ?3
    AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.call = calls.id)
RETURNING account, subscribers, emails
