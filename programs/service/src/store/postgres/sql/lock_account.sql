-- Locks an account until the end of the transaction, so that its changes are made one at a time.
SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE
