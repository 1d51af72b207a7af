SELECT count(*), coalesce(sum(inactive), 0)
FROM subscribers
WHERE account = ?1 AND id IN (SELECT value FROM json_each(?2))
