-- New ids continue after a chosen id, unless few ids are left after it.
WITH counted AS (
    SELECT setval('subscriber_ids', greatest($2, last_value))
    FROM subscriber_ids
    WHERE $2 < $6::bigint
)
INSERT INTO subscribers (account, id, match_key, email, inactive)
SELECT $1, coalesce($2, nextval('subscriber_ids')), $3, $4, $5
WHERE (SELECT count(*) FROM counted) >= 0
ON CONFLICT DO NOTHING
RETURNING id
