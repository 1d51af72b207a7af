-- The last of the bounced deliveries of account $1 that a search looks at: the one after $5 others from time $2 up to delivery $4 of
-- time $3, newest first. No row if there are fewer.
SELECT created, id
FROM deliveries
WHERE account = $1 AND state = 'bounced' AND created >= $2::timestamptz AND (created, id) < ($3::timestamptz, $4::bigint)
ORDER BY created DESC, id DESC
LIMIT 1 OFFSET $5
