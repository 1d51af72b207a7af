-- Refused calls before number ?3, from time ?4 up to time ?5. ?1 and ?2 are a little before and after these times: the numbers of
-- the first calls at ?1 and ?2 bound the range of the index that is read.
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
    -- The numbers bound the range already, and the times only leave rows out. Within coalesce they use no index: PostgreSQL does not know
    -- how wide the range of times is, and would read all of it.
    AND coalesce(t.received, ?4) >= ?4
    AND coalesce(t.received, ?5) < ?5
