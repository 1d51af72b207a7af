-- Cancels a part of the waiting deliveries, so that others do not wait long. The caller repeats it until nothing is left.
WITH part AS MATERIALIZED (
    SELECT id, events FROM deliveries
    WHERE account = $1 AND state = 'queued' AND ($2::bigint IS NULL OR call = $2)
    LIMIT $3
    FOR UPDATE
),
cancelled AS (
    UPDATE deliveries d
    SET state = 'bounced', cancelled = true, reason = 'cancelled', events = d.events | 1, ended = clock_timestamp()
    FROM part p
    WHERE d.id = p.id
    RETURNING d.id, d.account, d.subscriber, d.reason, d.ended, p.events AS had
),
added AS (
    INSERT INTO events (account, subscriber, delivery, kind, reason, happened)
    SELECT account, subscriber, id, 'bounced', reason, ended FROM cancelled WHERE had & 1 = 0
)
SELECT FROM cancelled
