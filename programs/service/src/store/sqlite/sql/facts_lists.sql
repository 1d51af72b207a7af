SELECT j.key
FROM json_each(?2) j
CROSS JOIN lists l ON l.account = ?1 AND l.name = j.value
