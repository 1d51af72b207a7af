UPDATE queue w
SET leased = greatest(clock_timestamp(), $4::timestamptz) + make_interval(secs => $3)
FROM unnest($1::bigint[], $2::bigint[]) AS q (id, claim)
WHERE w.delivery = q.id AND w.claim = q.claim
RETURNING w.delivery
