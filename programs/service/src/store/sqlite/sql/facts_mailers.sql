SELECT j.key, m.from_address, m.from_name, m.revision
FROM json_each(?2) j
CROSS JOIN mailers m ON m.account = ?1 AND m.id = j.value
