-- The second of the call of account $1 with which its calls from time $2 up to $3, newest first, have $4 emails. No row if they have
-- fewer. A call has an email at least, so $4 calls are enough.
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
