SELECT l.account, l.name
FROM jsonb_each(?1) j
CROSS JOIN lists l ON l.account = j.value ->> 0 AND l.name = j.value ->> 1
