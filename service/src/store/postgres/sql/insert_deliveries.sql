-- The values that an email is filled in with are copied now: what is accepted is what is sent. Workers hear of it when it is
-- committed.
WITH inserted AS (
    INSERT INTO deliveries (call, account, message, subscriber, to_address, role, lane, fields)
    SELECT $1, $2, q.message, q.subscriber, q.to_address, q.role, (q.mailer IS NULL)::integer, (
        SELECT json_object_agg(f.name, translate(encode(f.value, 'base64'), E'\n', ''))
        FROM mailers m
        JOIN subscriber_fields f ON f.account = m.account AND f.subscriber = q.subscriber AND f.name = ANY (m.names)
        WHERE m.account = $2 AND m.id = q.mailer
    )
    FROM unnest($3::integer[], $4::bigint[], $5::text[], $6::text[], $7::bigint[])
        AS q (message, subscriber, to_address, role, mailer)
)
SELECT pg_notify('franking_outbox', '')
