-- The content of hash ?1, if nothing has it. The order has it looked for in an index, however many messages had one content before.
DELETE FROM contents
WHERE hash = ?1
    AND (SELECT m.content FROM messages m WHERE m.content >= ?1 ORDER BY m.content LIMIT 1) IS DISTINCT FROM ?1
    AND (SELECT m.content FROM mailers m WHERE m.content >= ?1 ORDER BY m.content LIMIT 1) IS DISTINCT FROM ?1
RETURNING hash
