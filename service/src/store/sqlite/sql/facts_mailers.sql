SELECT j.key, m.from_address, m.from_name
FROM json_each(?2) j
CROSS JOIN mailers m ON m.account = ?1 AND m.id = j.value
