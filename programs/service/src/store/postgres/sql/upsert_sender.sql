INSERT INTO senders (account, match_key, address, active)
VALUES ($1, $2, $3, $4)
ON CONFLICT (account, match_key) DO UPDATE SET active = excluded.active
RETURNING 1
