INSERT INTO deliveries (call, account, message, subscriber, to_address, role)
SELECT ?1, ?2, value ->> 0, value ->> 1, value ->> 2, value ->> 3
FROM jsonb_each(?3)
