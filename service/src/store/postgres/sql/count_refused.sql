-- How many calls were refused today and on $2 days before, of account $1 or of all: the most frequent first, up to $3 rows.
SELECT account, operation, code, rule, peer, sum(calls)::bigint AS calls
FROM call_counts
WHERE day >= floor(extract(epoch FROM clock_timestamp()) / 86400)::bigint - $2
    AND ($1::bigint IS NULL OR account = $1)
    AND rule <> ''
GROUP BY account, operation, code, rule, peer
ORDER BY 6 DESC, account, operation, code, rule, peer
LIMIT $3
