-- How many emails of call ?1 wait, up to 10,000.
SELECT count(*) FROM (SELECT 1 AS one FROM deliveries WHERE call = ?1 AND state = 'queued' LIMIT 10000) counted
