SELECT j.key, b.roles
FROM json_each(?1) j
CROSS JOIN blacklist b ON b.domain = j.value
