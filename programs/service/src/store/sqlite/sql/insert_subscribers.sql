INSERT INTO subscribers (account, id, match_key, email)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3
FROM jsonb_each(?1)
