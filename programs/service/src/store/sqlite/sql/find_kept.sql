SELECT i.account, i.key, i.call, i.digest, i.answer
FROM jsonb_each(?1) j
CROSS JOIN idempotency i ON i.account = j.value ->> 0 AND i.key = j.value ->> 1
WHERE i.created > unixepoch() - ?2
