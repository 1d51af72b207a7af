-- Of account ?3.
SELECT operation, code, rule, CAST(sum(calls) AS bigint), account, peer
FROM call_counts
WHERE account = ?3 AND day >= today() - ?1 AND rule <> ''
GROUP BY operation, code, rule, account, peer
ORDER BY 4 DESC, operation, code, rule, account, peer
LIMIT ?2
