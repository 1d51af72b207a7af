-- By the clock's time, or $7. What was cancelled meanwhile stays so, but for what was delivered: that is the truth of it.
UPDATE deliveries d
SET state = q.state,
    claim = NULL,
    due = c.now + make_interval(secs => q.after),
    attempts = d.attempts + q.attempts,
    tried = coalesce(d.tried, CASE WHEN q.attempts > 0 THEN c.now END),
    reason = coalesce(q.reason, d.reason),
    events = (d.events & ~3) | CASE q.state WHEN 'bounced' THEN 1 WHEN 'delivered' THEN 2 ELSE 0 END,
    ended = CASE WHEN q.state <> 'queued' THEN c.now END
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::double precision[], $5::integer[], $6::text[])
    AS q (id, claim, state, after, attempts, reason),
    (SELECT greatest(clock_timestamp(), $7::timestamptz) AS now) c
WHERE d.id = q.id AND d.claim = q.claim AND (d.state = 'queued' OR q.state = 'delivered')
RETURNING d.id
