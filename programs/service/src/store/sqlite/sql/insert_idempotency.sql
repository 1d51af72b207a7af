-- An existing key has expired, because otherwise the plan would not be carried out. It is overwritten.
INSERT INTO idempotency (account, key, call, digest, answer)
SELECT value ->> 0, value ->> 1, value ->> 2, unhex(value ->> 3), value ->> 4
FROM jsonb_each(?1)
WHERE true
ON CONFLICT (account, key) DO UPDATE
SET call = excluded.call, digest = excluded.digest, answer = excluded.answer, created = excluded.created
