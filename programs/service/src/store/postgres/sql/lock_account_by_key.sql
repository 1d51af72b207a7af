-- Locks the account until the end of the transaction, so that nobody else writes for it in the meantime.
SELECT 1 FROM credits WHERE account = (SELECT account FROM keys WHERE hash = $1) FOR NO KEY UPDATE
