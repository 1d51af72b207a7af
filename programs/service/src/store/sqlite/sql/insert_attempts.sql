-- Inserts failed attempts. ?2 is the time.
INSERT INTO attempts (delivery, reason, happened)
SELECT q.value ->> 0, q.value ->> 1, ?2
FROM json_each(?1) q
