-- Empties the messages after message ?2 of call ?1, up to message ?4 of call ?3, if their call is not later than ?5. A message that
-- is still to be sent keeps its content.
UPDATE messages
SET content = NULL, subject = '', list_unsubscribe = NULL
WHERE (call, position) IN (
    SELECT call, position FROM messages
    WHERE content IS NOT NULL AND (call, position) > (?1, ?2)
    ORDER BY call, position
    LIMIT 100
)
    AND (call, position) <= (?3, ?4)
    AND EXISTS (SELECT 1 FROM calls c WHERE c.id = messages.call AND c.created <= ?5)
    AND NOT EXISTS (
        SELECT 1 FROM deliveries q
        WHERE q.call = messages.call AND q.message = messages.position AND q.state = 'queued'
    )
RETURNING call, position, mailer
