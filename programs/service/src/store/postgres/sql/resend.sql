-- Makes delivery $1 due again if it has ended, its content is still stored, and it was not cancelled in the last $2 seconds. If it
-- had bounced, an event undoes that.
WITH found AS MATERIALIZED (
    SELECT d.id, d.account, d.subscriber, d.state = 'queued' AS waits, d.events & 1 <> 0 AS bounced,
        m.content IS NOT NULL AS is_stored,
        coalesce(d.cancelled AND d.state = 'bounced' AND d.ended > clock_timestamp() - make_interval(secs => $2), false)
            AS is_on_its_way
    FROM deliveries d
    JOIN messages m ON m.call = d.call AND m.position = d.message
    WHERE d.id = $1
    FOR UPDATE OF d
),
again AS (
    UPDATE deliveries d
    SET state = 'queued', attempts = 0, tried = NULL, cancelled = false, ended = NULL, events = d.events & ~1
    FROM found f
    WHERE d.id = f.id AND NOT f.waits AND f.is_stored AND NOT f.is_on_its_way
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
SELECT waits, is_stored, is_on_its_way FROM found
