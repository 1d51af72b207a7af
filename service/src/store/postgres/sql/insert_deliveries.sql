-- Workers hear of it when it is committed.
WITH inserted AS (
    INSERT INTO deliveries (call, account, message, subscriber, to_address, role)
    SELECT $1, $2, message, subscriber, to_address, role
    FROM unnest($3::integer[], $4::bigint[], $5::text[], $6::text[]) AS q (message, subscriber, to_address, role)
)
SELECT pg_notify('franking_outbox', '')
