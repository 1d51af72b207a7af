-- How many calls of account ?3 rule ?4 has refused today and on the ?1 days before, by client. Up to ?2 rows, the most
-- frequent first.
SELECT operation, code, rule, CAST(sum(calls) AS bigint), account, peer
FROM call_counts
WHERE account = ?3 AND rule = ?4 AND day >= today() - ?1
GROUP BY operation, code, rule, account, peer
ORDER BY 4 DESC, operation, code, rule, account, peer
LIMIT ?2
