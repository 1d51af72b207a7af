SELECT nextval('subscriber_ids') FROM generate_series(1, $1::bigint)
