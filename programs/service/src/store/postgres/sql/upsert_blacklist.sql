INSERT INTO blacklist (domain, roles) VALUES ($1, $2) ON CONFLICT (domain) DO UPDATE SET roles = excluded.roles
RETURNING 1
