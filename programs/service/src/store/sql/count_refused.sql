-- How many calls were refused today and on the ?1 days before, by rule. Up to ?2 rows, the most frequent first.
SELECT operation, code, rule, CAST(sum(calls) AS bigint), NULL, NULL
FROM call_totals
WHERE day >= today() - ?1 AND rule <> ''
GROUP BY operation, code, rule
ORDER BY 4 DESC, operation, code, rule
LIMIT ?2
