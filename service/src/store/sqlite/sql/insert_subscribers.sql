INSERT INTO subscribers (account, id, match_key, email)
SELECT ?1, ?2 + key, value ->> 0, value ->> 1
FROM jsonb_each(?3)
WHERE true
ON CONFLICT (account, match_key) DO NOTHING
