-- How many calls rule ?3 has refused today and on the ?1 days before: by account, and by client for calls without an
-- account. Up to ?2 rows, the most frequent first.
SELECT operation, code, rule, CAST(sum(calls) AS bigint), account, peer
FROM call_counts
WHERE rule = ?3 AND day >= today() - ?1
GROUP BY operation, code, rule, account, peer
ORDER BY 4 DESC, operation, code, rule, account, peer
LIMIT ?2
