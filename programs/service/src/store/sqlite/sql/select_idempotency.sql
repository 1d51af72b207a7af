SELECT call, digest, answer
FROM idempotency
WHERE account = ?1 AND key = ?2 AND created > unixepoch() - ?3
