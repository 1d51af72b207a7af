INSERT INTO subscriber_fields (account, subscriber, name, value)
SELECT ?1, value ->> 0, value ->> 1, value ->> 2
FROM jsonb_each(?2)
WHERE true
ON CONFLICT DO UPDATE SET value = excluded.value
