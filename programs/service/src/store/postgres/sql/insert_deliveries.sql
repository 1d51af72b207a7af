-- The values that an email is filled in with are copied now, so that what is accepted is what is sent. An email of
-- httpSendMail has a role.
WITH accepted AS (
    INSERT INTO deliveries (call, account, message, subscriber, to_address, role, fields)
    SELECT q.call, q.account, q.message, q.subscriber, q.to_address, q.role, (
        SELECT json_object_agg(f.name, translate(encode(f.value, 'base64'), E'\n', ''))
        FROM mailers m
        JOIN subscriber_fields f ON f.account = m.account AND f.subscriber = q.subscriber AND f.name = ANY (m.names)
        WHERE m.account = q.account AND m.id = q.mailer
    )
    FROM unnest(
        $1::bigint[], $2::bigint[], $3::integer[], $4::bigint[], $5::text[], $6::text[], $7::bigint[]
    ) AS q (call, account, message, subscriber, to_address, role, mailer)
    RETURNING id, account, role
)
INSERT INTO queue (delivery, account, traffic_class)
SELECT id, account, (role IS NOT NULL)::integer
FROM accepted
