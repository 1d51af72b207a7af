-- Deletes the messages after message ?2 of call ?1, up to message ?4 of call ?3, if their call is not later than ?5, and if they
-- have neither content nor a delivery any more.
DELETE FROM messages
WHERE (call, position) IN (
    SELECT call, position FROM messages WHERE (call, position) > (?1, ?2) ORDER BY call, position LIMIT 100
)
    AND (call, position) <= (?3, ?4)
    AND content IS NULL
    AND EXISTS (SELECT 1 FROM calls c WHERE c.id = messages.call AND c.created <= ?5)
    AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.call = messages.call AND d.message = messages.position)
RETURNING call
