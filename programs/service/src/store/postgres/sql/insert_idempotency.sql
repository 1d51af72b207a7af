-- An existing key has expired, because otherwise the plan would not be carried out. It is overwritten.
INSERT INTO idempotency (account, key, call, digest, answer)
SELECT account, key, call, digest, answer
FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bytea[], $5::text[]) AS q (account, key, call, digest, answer)
ON CONFLICT (account, key) DO UPDATE
SET call = excluded.call, digest = excluded.digest, answer = excluded.answer, created = excluded.created
