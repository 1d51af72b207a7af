INSERT INTO senders (account, match_key, address, active)
VALUES (?1, ?2, ?3, ?4)
ON CONFLICT DO UPDATE SET active = excluded.active
