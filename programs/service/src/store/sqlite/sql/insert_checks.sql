-- Inserts a check for each event of ?1 that may suppress a subscriber and is new, as in insert_events.sql.
INSERT INTO suppression_checks (account, subscriber)
SELECT coalesce(d.account, a.value ->> 0), coalesce(d.subscriber, a.value ->> 1)
FROM json_each(?1) a
LEFT JOIN deliveries d ON d.id = a.value ->> 2
WHERE (a.value ->> 2 IS NULL OR d.events & (a.value ->> 4) = 0 AND d.events & (a.value ->> 5) = a.value ->> 5)
    AND a.value ->> 10
