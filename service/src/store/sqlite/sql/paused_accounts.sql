SELECT id FROM accounts WHERE paused ORDER BY id
