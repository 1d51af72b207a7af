-- Settles deliveries at the time of the clock or $9, whichever is later. A delivery that was cancelled in the meantime stays
-- cancelled, unless it was delivered: then an event undoes its bounce. The end of a delivery is an event, unless a report
-- has said the same before. The record of a delivery that is given back without a reason is not written.
WITH asked AS (
    SELECT *
    FROM unnest(
        $1::bigint[], $2::bigint[], $3::text[], $4::double precision[], $5::integer[], $6::text[], $7::text[],
        $8::boolean[]
    ) AS q (id, claim, state, after, attempts, reason, status, may_suppress)
),
held AS MATERIALIZED (
    SELECT w.delivery
    FROM queue w
    JOIN asked q ON q.id = w.delivery AND q.claim = w.claim
    ORDER BY w.delivery
    FOR UPDATE OF w
),
-- Because of the condition on the count, the rows of the queue are locked first. Whether a delivery was cancelled is certain only
-- when its record is locked.
before AS MATERIALIZED (
    SELECT d.id, d.events, d.cancelled AND d.state = 'bounced' AS cancelled
    FROM deliveries d
    JOIN asked q ON q.id = d.id
    WHERE (q.attempts > 0 OR q.reason IS NOT NULL) AND (SELECT count(*) FROM held) >= 0
    ORDER BY d.id
    FOR UPDATE OF d
),
clock AS (SELECT greatest(clock_timestamp(), $9::timestamptz) AS now),
settled AS (
    UPDATE deliveries d
    SET state = q.state,
        attempts = d.attempts + q.attempts,
        tried = coalesce(d.tried, CASE WHEN q.attempts > 0 THEN c.now END),
        reason = coalesce(q.reason, d.reason),
        events = (d.events & CASE WHEN b.cancelled THEN ~1 ELSE ~0 END)
            | CASE q.state WHEN 'bounced' THEN 1 WHEN 'delivered' THEN 2 ELSE 0 END,
        ended = CASE WHEN q.state <> 'queued' THEN c.now END
    FROM asked q, before b, clock c
    WHERE d.id = q.id AND b.id = d.id
        AND (b.id IN (SELECT delivery FROM held) OR b.cancelled AND q.state = 'delivered')
    RETURNING d.id, d.account, d.subscriber, q.state, q.status, q.reason, q.attempts, q.may_suppress,
        b.cancelled AND b.events & 1 <> 0 AS undone, b.events AS had, d.events, c.now
),
gone AS (
    DELETE FROM queue w
    USING held h, asked q
    WHERE w.delivery = h.delivery AND q.id = h.delivery AND q.state <> 'queued'
),
again AS (
    UPDATE queue w
    SET claim = NULL, instance = NULL, leased = '-infinity', due = c.now + make_interval(secs => q.after)
    FROM held h, asked q, clock c
    WHERE w.delivery = h.delivery AND q.id = h.delivery AND q.state = 'queued'
),
added AS (
    INSERT INTO events (account, subscriber, delivery, kind, status, reason, happened)
    SELECT account, subscriber, id, 'not_bounced', NULL, NULL, now FROM settled WHERE undone
    UNION ALL
    SELECT account, subscriber, id, state, status, reason, now FROM settled WHERE events & ~had <> 0
),
tried AS (
    INSERT INTO attempts (delivery, reason, happened)
    SELECT id, reason, now FROM settled WHERE state = 'queued' AND attempts > 0 AND reason IS NOT NULL
),
checks AS (
    INSERT INTO suppression_checks (account, subscriber)
    SELECT account, subscriber FROM settled WHERE events & ~had <> 0 AND may_suppress
)
SELECT delivery FROM held
UNION
SELECT id FROM settled
