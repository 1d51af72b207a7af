INSERT INTO left_out (call, position, request, pointer, start, stop, rule)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
FROM jsonb_each(?1)
