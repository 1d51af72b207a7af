SELECT s.account, s.match_key
FROM jsonb_each(?1) j
CROSS JOIN subscribers s ON s.account = j.value ->> 0 AND s.match_key = j.value ->> 1
