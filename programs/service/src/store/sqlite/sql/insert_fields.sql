INSERT INTO subscriber_fields (account, subscriber, name, value)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3
FROM jsonb_each(?1)
WHERE true
ON CONFLICT DO UPDATE SET value = excluded.value
