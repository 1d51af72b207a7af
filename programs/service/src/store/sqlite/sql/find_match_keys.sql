-- Whether one of these match keys is there.
SELECT EXISTS (
    SELECT 1
    FROM json_each(?2) j
    CROSS JOIN subscribers s ON s.account = ?1 AND s.match_key = j.value
)
