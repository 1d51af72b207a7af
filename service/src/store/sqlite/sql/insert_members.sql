INSERT INTO list_members (list, account, subscriber)
SELECT l.id, ?1, j.value ->> 1
FROM jsonb_each(?2) j
CROSS JOIN lists l ON l.account = ?1 AND l.name = j.value ->> 0
WHERE true
ON CONFLICT DO NOTHING
