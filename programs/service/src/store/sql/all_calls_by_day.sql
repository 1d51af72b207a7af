-- Calls by day and code, today and on the ?1 days before.
SELECT day, CAST(code AS text), CAST(sum(calls) AS bigint)
FROM call_totals
WHERE day >= today() - ?1
GROUP BY day, code
ORDER BY day DESC, code
