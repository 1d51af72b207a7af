UPDATE deliveries d
SET due = greatest(clock_timestamp(), $4::timestamptz) + make_interval(secs => $3)
FROM unnest($1::bigint[], $2::bigint[]) AS q (id, claim)
WHERE d.id = q.id AND d.claim = q.claim AND d.state = 'queued'
RETURNING d.id
