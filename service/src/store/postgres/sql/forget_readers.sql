UPDATE hits
SET address = NULL, agent = NULL
WHERE id IN (
    SELECT id FROM hits
    WHERE address IS NOT NULL AND happened <= clock_timestamp() - make_interval(days => $1::integer)
    ORDER BY happened
    LIMIT $2
)
