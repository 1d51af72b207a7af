INSERT INTO left_out (call, position, request, pointer, start, stop, rule)
SELECT ?1, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
FROM jsonb_each(?2)
