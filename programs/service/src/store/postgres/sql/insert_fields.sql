INSERT INTO subscriber_fields (account, subscriber, name, value)
SELECT account, subscriber, name, value
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bytea[]) AS q (account, subscriber, name, value)
ON CONFLICT (account, subscriber, name) DO UPDATE SET value = excluded.value
