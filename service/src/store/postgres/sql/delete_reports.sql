DELETE FROM reports
WHERE id IN (SELECT id FROM reports WHERE received <= clock_timestamp() - make_interval(days => $1::integer) ORDER BY received LIMIT $2)
