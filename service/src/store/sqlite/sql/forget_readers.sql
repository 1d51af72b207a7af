UPDATE hits
SET address = NULL, agent = NULL
WHERE id IN (
    SELECT id FROM hits WHERE address IS NOT NULL AND happened <= unixepoch() - ?1 * 86400 ORDER BY happened LIMIT ?2
)
