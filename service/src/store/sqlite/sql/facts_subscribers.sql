SELECT j.key, s.id, s.email, s.inactive
FROM json_each(?2) j
CROSS JOIN subscribers s ON s.account = ?1 AND s.match_key = j.value
