-- The accounts whose sending is paused.
SELECT id FROM accounts WHERE paused = ?1 ORDER BY id
