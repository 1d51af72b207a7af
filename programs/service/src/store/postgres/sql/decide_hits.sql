-- Stores what was decided about the hits $1: the reason of each.
UPDATE hits h
SET reason = q.reason, decided = true
FROM unnest($1::bigint[], $2::text[]) AS q (id, reason)
WHERE h.id = q.id
