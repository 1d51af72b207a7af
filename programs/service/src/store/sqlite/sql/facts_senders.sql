SELECT j.key
FROM json_each(?2) j
CROSS JOIN senders s ON s.account = ?1 AND s.match_key = j.value AND s.active
