INSERT INTO calls (id, account, operation, emails, subscribers)
SELECT id, account, operation, emails, subscribers
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[])
    AS q (id, account, operation, emails, subscribers)
