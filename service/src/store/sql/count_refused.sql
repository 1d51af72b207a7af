-- How many calls were refused today and on the ?2 days before, of account ?1, or of all if it is NULL. Up to ?3 rows,
-- the most frequent first.
SELECT account, operation, code, rule, peer, CAST(sum(calls) AS bigint)
FROM call_counts
WHERE day >= today() - ?2
    AND (account = ?1 OR ?1 IS NULL)
    AND rule <> ''
GROUP BY account, operation, code, rule, peer
ORDER BY 6 DESC, account, operation, code, rule, peer
LIMIT ?3
