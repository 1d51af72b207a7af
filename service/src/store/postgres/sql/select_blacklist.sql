SELECT domain, roles FROM blacklist ORDER BY domain
