-- How many emails of account ?1 wait, up to 10,000.
SELECT count(*) FROM (SELECT 1 AS one FROM queue WHERE account = ?1 LIMIT 10000) counted
