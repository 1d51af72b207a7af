-- Calls that were refused, by rule and code: today, and on the day before. Up to ?1 rows, the most frequent first.
SELECT
    rule, code, CAST(sum(CASE WHEN day = today() THEN calls ELSE 0 END) AS bigint),
    CAST(sum(CASE WHEN day = today() - 1 THEN calls ELSE 0 END) AS bigint)
FROM call_totals
WHERE day >= today() - 1 AND rule <> ''
GROUP BY rule, code
ORDER BY 3 DESC, 4 DESC, rule, code
LIMIT ?1
