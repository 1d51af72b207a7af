INSERT INTO subscriber_fields (account, subscriber, name, value)
SELECT $1, subscriber, name, value
FROM unnest($2::bigint[], $3::text[], $4::bytea[]) AS q (subscriber, name, value)
ORDER BY subscriber, name
ON CONFLICT (account, subscriber, name) DO UPDATE SET value = excluded.value
