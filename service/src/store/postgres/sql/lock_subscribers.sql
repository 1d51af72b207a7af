-- Nobody makes them INACTIVE or takes them away before the end of the transaction.
SELECT inactive
FROM subscribers
WHERE account = $1 AND id = ANY($2::bigint[])
ORDER BY match_key
FOR SHARE
