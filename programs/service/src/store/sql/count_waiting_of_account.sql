-- How many emails of account ?1 wait, up to 10,000.
SELECT count(*) FROM (SELECT 1 AS one FROM deliveries WHERE account = ?1 AND state = 'queued' LIMIT 10000) counted
