-- Calls by day and code, today and on the ?2 days before, of account ?1, or of all if it is NULL.
SELECT day, CAST(code AS text), CAST(sum(calls) AS bigint)
FROM call_counts
WHERE day >= today() - ?2 AND (account = ?1 OR ?1 IS NULL)
GROUP BY day, code
ORDER BY day DESC, code
