-- Whether a subscriber with one of these match keys exists.
SELECT EXISTS (
    SELECT 1
    FROM json_each(?2) j
    CROSS JOIN subscribers s ON s.account = ?1 AND s.match_key = j.value
)
