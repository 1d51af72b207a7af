-- By rule ?3, of each account, and of each client without one.
SELECT operation, code, rule, CAST(sum(calls) AS bigint), account, peer
FROM call_counts
WHERE rule = ?3 AND day >= today() - ?1
GROUP BY operation, code, rule, account, peer
ORDER BY 4 DESC, operation, code, rule, account, peer
LIMIT ?2
