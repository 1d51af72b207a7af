INSERT INTO subscribers (account, id, match_key, email, inactive)
VALUES ($1, coalesce($2, nextval('subscriber_ids')), $3, $4, $5)
ON CONFLICT DO NOTHING
RETURNING id
