-- Cancels up to $3 waiting deliveries. The caller repeats it until nothing is left, so that others do not wait long.
WITH part AS MATERIALIZED (
    SELECT q.delivery FROM queue q
    WHERE q.account = $1 AND ($2::bigint IS NULL OR q.delivery IN (SELECT d.id FROM deliveries d WHERE d.call = $2))
    LIMIT $3
    FOR UPDATE
),
gone AS (
    DELETE FROM queue WHERE delivery = ANY (ARRAY (SELECT delivery FROM part))
),
before AS MATERIALIZED (
    SELECT id, events FROM deliveries WHERE id = ANY (ARRAY (SELECT delivery FROM part)) FOR UPDATE
),
cancelled AS (
    UPDATE deliveries d
    SET state = 'bounced', cancelled = true, reason = 'cancelled', events = d.events | 1, ended = clock_timestamp()
    FROM before b
    WHERE d.id = b.id
    RETURNING d.id, d.account, d.subscriber, d.reason, d.ended, b.events AS had
),
added AS (
    INSERT INTO events (account, subscriber, delivery, kind, reason, happened)
    SELECT account, subscriber, id, 'bounced', reason, ended FROM cancelled WHERE had & 1 = 0
)
SELECT FROM cancelled
