INSERT INTO blacklist (domain, roles)
SELECT j.value ->> 0, CAST(j.value ->> 1 AS smallint)
FROM rows(?1) j
WHERE true
ON CONFLICT (domain) DO UPDATE SET roles = excluded.roles
