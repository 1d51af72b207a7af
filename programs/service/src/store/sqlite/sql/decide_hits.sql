-- Stores what was decided about the hits of ?1: the reason of each.
UPDATE hits
SET reason = q.value ->> 1, decided = 1
FROM json_each(?1) q
WHERE hits.id = q.value ->> 0
