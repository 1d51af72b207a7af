-- Makes delivery $1 due again if it has ended and its content is still stored. If it had bounced, an event undoes that.
WITH found AS MATERIALIZED (
    SELECT d.id, d.account, d.subscriber, d.state = 'queued' AS waits, d.events & 1 <> 0 AS bounced,
        m.content IS NOT NULL AS is_stored
    FROM deliveries d
    JOIN messages m ON m.call = d.call AND m.position = d.message
    WHERE d.id = $1
    FOR UPDATE OF d
),
again AS (
    UPDATE deliveries d
    SET state = 'queued', attempts = 0, tried = NULL, cancelled = false, ended = NULL, events = d.events & ~1
    FROM found f
    WHERE d.id = f.id AND NOT f.waits AND f.is_stored
    RETURNING d.id, d.account, d.role
),
placed AS (
    INSERT INTO queue (delivery, account, traffic_class)
    SELECT id, account, (role IS NOT NULL)::integer FROM again
),
undone AS (
    INSERT INTO events (account, subscriber, delivery, kind, happened)
    SELECT f.account, f.subscriber, f.id, 'not_bounced', clock_timestamp()
    FROM found f
    JOIN again a ON a.id = f.id
    WHERE f.bounced
)
SELECT waits, is_stored FROM found
