-- Refused calls before number ?3, at times from ?4 up to ?5. Numbers follow times: two look-ups of times narrow the numbers down, so
-- that other times are not read.
WHERE t.call IS NULL
    AND t.id >= coalesce(
        (SELECT f.id FROM transcripts f WHERE f.received >= ?1 ORDER BY f.received, f.id LIMIT 1),
        9223372036854775807
    )
    AND t.id < coalesce(
        (SELECT l.id FROM transcripts l WHERE l.received >= ?2 ORDER BY l.received, l.id LIMIT 1),
        9223372036854775807
    )
    AND t.id < ?3
    AND t.received >= ?4
    AND t.received < ?5
