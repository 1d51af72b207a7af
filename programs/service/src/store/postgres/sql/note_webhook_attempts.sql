-- Stores the results of attempts of webhook $1. The events $2 are done. The events $3 are tried again: $4 is how many
-- attempts each has had, and $5 is the seconds until the next one. The attempts to store have the events $6, counts $7, HTTP
-- statuses $8, problems $9 and milliseconds $10. The last $11 attempts are kept.
WITH done AS (
    DELETE FROM webhook_retries WHERE webhook = $1 AND number = ANY ($2)
),
retried AS (
    INSERT INTO webhook_retries (webhook, number, attempts, due)
    SELECT $1, a.number, a.attempts, clock_timestamp() + make_interval(secs => a.seconds)
    FROM unnest($3::bigint[], $4::integer[], $5::float8[]) AS a (number, attempts, seconds)
    ON CONFLICT (webhook, number) DO UPDATE SET attempts = excluded.attempts, due = excluded.due
),
old AS (
    DELETE FROM webhook_attempts
    WHERE webhook = $1
        AND id <= (
            SELECT id
            FROM webhook_attempts
            WHERE webhook = $1
            ORDER BY id DESC
            LIMIT 1 OFFSET greatest($11::bigint - cardinality($6::bigint[]), 0)
        )
)
INSERT INTO webhook_attempts (webhook, number, attempt, status, problem, milliseconds)
SELECT $1, a.number, a.attempt, a.status, a.problem, a.milliseconds
FROM unnest($6::bigint[], $7::integer[], $8::integer[], $9::text[], $10::bigint[]) WITH ORDINALITY
    AS a (number, attempt, status, problem, milliseconds, place)
ORDER BY a.place
