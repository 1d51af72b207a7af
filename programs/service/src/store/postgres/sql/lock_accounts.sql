-- Locks the accounts until the end of the transaction, so that nobody else writes for them in the meantime. Nothing is read here: a
-- statement that has waited for a lock still sees the other rows as they were before.
SELECT FROM credits WHERE account = ANY ($1::bigint[]) ORDER BY account FOR NO KEY UPDATE
