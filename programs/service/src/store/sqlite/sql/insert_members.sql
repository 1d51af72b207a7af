INSERT INTO list_members (list, account, subscriber)
SELECT l.id, l.account, j.value ->> 2
FROM jsonb_each(?1) j
CROSS JOIN lists l ON l.account = j.value ->> 0 AND l.name = j.value ->> 1
WHERE true
ON CONFLICT DO NOTHING
