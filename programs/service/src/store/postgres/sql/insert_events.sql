-- Inserts the events that are new, in their order. An event is not new if its delivery has had that outcome already, or if
-- it undoes an outcome that the delivery does not have. The outcomes of a delivery are read under its lock.
WITH asked AS MATERIALIZED (
    SELECT *
    FROM unnest(
        $1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::smallint[], $6::smallint[], $7::text[], $8::text[],
        $9::bigint[], $10::bigint[], $11::boolean[]
    ) WITH ORDINALITY
        AS a (account, subscriber, delivery, kind, sets, clears, status, reason, report, happened, may_suppress, place)
),
before AS MATERIALIZED (
    SELECT id, account, subscriber, events FROM deliveries WHERE id = ANY ($3) ORDER BY id FOR UPDATE
),
news AS MATERIALIZED (
    SELECT
        coalesce(b.account, a.account) AS account, coalesce(b.subscriber, a.subscriber) AS subscriber, a.delivery,
        a.kind, a.sets, a.clears, a.status, a.reason, a.report, to_timestamp(a.happened) AS happened,
        a.may_suppress, a.place
    FROM asked a
    LEFT JOIN before b ON b.id = a.delivery
    WHERE a.delivery IS NULL OR b.events & a.sets = 0 AND b.events & a.clears = a.clears
),
changed AS (
    UPDATE deliveries d
    SET events = (d.events | n.sets) & ~n.clears
    FROM (SELECT delivery, bit_or(sets) AS sets, bit_or(clears) AS clears FROM news GROUP BY delivery) n
    WHERE d.id = n.delivery AND (n.sets | n.clears) <> 0
),
checks AS (
    INSERT INTO suppression_checks (account, subscriber)
    SELECT account, subscriber FROM news WHERE may_suppress
)
INSERT INTO events (account, subscriber, delivery, kind, status, reason, report, happened)
SELECT account, subscriber, delivery, kind, status, reason, report, coalesce(happened, clock_timestamp())
FROM news
ORDER BY place
