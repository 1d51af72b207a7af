-- The values that an email is filled in with are copied now, so that what is accepted is what is sent.
INSERT INTO deliveries (call, account, message, subscriber, to_address, role, fields)
SELECT
    j.value ->> 0,
    j.value ->> 1,
    j.value ->> 2,
    j.value ->> 3,
    j.value ->> 4,
    j.value ->> 5,
    (
        SELECT json_group_object(f.name, f.value)
        FROM mailers m
        CROSS JOIN json_each(m.names) n
        CROSS JOIN subscriber_fields f
            ON f.account = m.account AND f.subscriber = j.value ->> 3 AND f.name = n.value
        WHERE m.account = j.value ->> 1 AND m.id = j.value ->> 6
        HAVING count(*) > 0
    )
FROM jsonb_each(?1) j
