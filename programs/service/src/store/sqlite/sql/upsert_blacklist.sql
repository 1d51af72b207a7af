INSERT INTO blacklist (domain, roles) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET roles = excluded.roles
