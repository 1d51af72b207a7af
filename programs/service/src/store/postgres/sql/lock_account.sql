-- Held to the end of the transaction, so that keys are counted one change at a time.
SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE
