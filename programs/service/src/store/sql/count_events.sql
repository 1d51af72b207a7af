-- How many events account ?1 has after number ?2, up to 10,000.
SELECT count(*) FROM (SELECT 1 AS one FROM events WHERE account = ?1 AND number > ?2 LIMIT 10000) counted
