-- The first $2 events up to one that came less than $1 days ago: those that are left have no gap before them.
WITH oldest AS MATERIALIZED (
    SELECT number, happened FROM events WHERE number IS NOT NULL ORDER BY number LIMIT $2
),
deleted AS (
    DELETE FROM events e
    USING oldest o
    WHERE e.number = o.number
        AND o.number < coalesce(
            (SELECT min(number) FROM oldest WHERE happened > clock_timestamp() - make_interval(days => $1::integer)),
            9223372036854775807
        )
    RETURNING e.number
),
retries AS (
    DELETE FROM webhook_retries r USING deleted d WHERE r.number = d.number
),
marked AS (
    UPDATE event_numbers SET gone = greatest(gone, (SELECT max(number) FROM deleted))
    WHERE EXISTS (SELECT FROM deleted)
)
SELECT count(*) FROM deleted
