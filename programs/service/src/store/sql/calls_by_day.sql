-- Calls of account ?1 by day and code, today and on the ?2 days before.
SELECT day, CAST(code AS text), CAST(sum(calls) AS bigint)
FROM call_counts
WHERE account = ?1 AND day >= today() - ?2
GROUP BY day, code
ORDER BY day DESC, code
