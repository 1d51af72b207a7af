-- The values that an email is filled in with are copied now: what is accepted is what is sent.
INSERT INTO deliveries (call, account, message, subscriber, to_address, role, lane, fields)
SELECT ?1, ?2, j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4 IS NULL, (
    SELECT json_group_object(f.name, f.value)
    FROM mailers m
    CROSS JOIN json_each(m.names) n
    CROSS JOIN subscriber_fields f ON f.account = m.account AND f.subscriber = j.value ->> 1 AND f.name = n.value
    WHERE m.account = ?2 AND m.id = j.value ->> 4
    HAVING count(*) > 0
)
FROM jsonb_each(?3) j
