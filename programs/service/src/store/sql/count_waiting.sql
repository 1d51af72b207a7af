-- How many emails wait, up to 10,000.
SELECT count(*) FROM (SELECT 1 AS one FROM queue LIMIT 10000) counted
