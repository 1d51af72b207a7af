-- The call with number or transactionId ?1.
WHERE t.call = ?1 OR t.id = ?1
ORDER BY t.call IS NULL
LIMIT 1
