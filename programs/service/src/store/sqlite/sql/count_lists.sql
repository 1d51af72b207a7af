SELECT count(*)
FROM lists
WHERE account = ?1 AND name IN (SELECT value FROM json_each(?2))
