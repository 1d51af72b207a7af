-- What the hits of $1 are, each with why.
UPDATE hits h
SET reason = q.reason, decided = true
FROM unnest($1::bigint[], $2::text[]) AS q (id, reason)
WHERE h.id = q.id
