UPDATE hits
SET address = NULL, agent = NULL
WHERE id IN (SELECT id FROM hits WHERE address IS NOT NULL AND happened <= ?1 ORDER BY happened LIMIT 100)
RETURNING id
