-- How many emails subscriber ?2 of account ?1 was sent, up to 10,000.
SELECT count(*) FROM (SELECT 1 AS one FROM deliveries WHERE account = ?1 AND subscriber = ?2 LIMIT 10000) counted
