-- Up to ?2 blacklisted domains after ?1.
SELECT domain, roles FROM blacklist WHERE domain > ?1 ORDER BY domain LIMIT ?2
