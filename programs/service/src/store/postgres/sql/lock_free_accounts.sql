-- As lock_accounts.sql, but leaves out the accounts whose row another transaction holds. Returns the accounts that it locks.
SELECT account FROM credits WHERE account = ANY ($1::bigint[]) ORDER BY account FOR NO KEY UPDATE SKIP LOCKED
