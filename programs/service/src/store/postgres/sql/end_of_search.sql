-- Adds up the emails of the calls of account $1 from time $2 up to $3, newest first. Returns the time of the call with which the sum
-- reaches $4, in whole seconds. No row if it stays below. A call has at least one email, so $4 calls are enough.
SELECT floor(extract(epoch FROM created))::bigint
FROM (
    SELECT created, sum(emails) OVER (ORDER BY created DESC) AS emails
    FROM (
        SELECT created, emails
        FROM calls
        WHERE account = $1 AND created >= to_timestamp($2::bigint) AND created < $3::timestamptz
        ORDER BY created DESC
        LIMIT $4
    ) c
) c
WHERE emails >= $4
ORDER BY created DESC
LIMIT 1
