UPDATE deliveries
SET events = (events | (a.value ->> 1)) & ~(a.value ->> 2)
FROM json_each(?1) a
WHERE deliveries.id = a.value ->> 0
