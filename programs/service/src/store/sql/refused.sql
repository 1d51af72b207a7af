-- Refused calls from time ?4 up to time ?5. ?1 and ?2 are a little before and after these times, because numbers are not
-- quite in the order of times. The coalesce keeps PostgreSQL from using an index of the times: it does not know how wide
-- the range of times is, and would read all of it.
WHERE t.call IS NULL
    AND coalesce(t.received, ?4) >= ?4
    AND coalesce(t.received, ?5) < ?5
