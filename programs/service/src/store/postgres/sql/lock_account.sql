-- Locks an account until the end of the transaction, so that its changes are made one at a time.
SELECT 1 FROM credits WHERE account = $1 FOR NO KEY UPDATE
