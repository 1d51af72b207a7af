-- Inserts the events of ?1 that are new, in their order. An event is not new if its delivery has had that outcome already,
-- or if it undoes an outcome that the delivery does not have.
INSERT INTO events (account, subscriber, delivery, kind, status, reason, report, happened)
SELECT
    coalesce(d.account, a.value ->> 0), coalesce(d.subscriber, a.value ->> 1), a.value ->> 2, a.value ->> 3,
    a.value ->> 6, a.value ->> 7, a.value ->> 8, coalesce(a.value ->> 9, unixepoch())
FROM json_each(?1) a
LEFT JOIN deliveries d ON d.id = a.value ->> 2
WHERE a.value ->> 2 IS NULL
    OR d.events & (a.value ->> 4) = 0 AND d.events & (a.value ->> 5) = a.value ->> 5
ORDER BY a.key
