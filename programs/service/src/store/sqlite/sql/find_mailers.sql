SELECT m.account, m.id, m.revision
FROM jsonb_each(?1) j
CROSS JOIN mailers m ON m.account = j.value ->> 0 AND m.id = j.value ->> 1
