-- Events by day and type, today and on the ?2 days before, of account ?1, or of all if it is NULL.
SELECT day, kind, CAST(sum(events) AS bigint)
FROM event_counts
WHERE day >= today() - ?2 AND (account = ?1 OR ?1 IS NULL)
GROUP BY day, kind
ORDER BY day DESC, kind
