INSERT INTO subscribers (account, id, match_key, email, inactive)
VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT DO NOTHING
