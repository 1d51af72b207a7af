-- A key that has expired is overwritten.
INSERT INTO idempotency (account, key, call, digest, answer)
VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (account, key) DO UPDATE
SET call = excluded.call, digest = excluded.digest, answer = excluded.answer, created = excluded.created
WHERE idempotency.created <= unixepoch() - ?6
