-- The range of numbers in which calls are looked for. It begins with the first call at time ?1 or later. It ends before number ?3
-- or before the first call at time ?2 or later, whichever is first. It limits how much of an index is read.
WITH bound (low, high) AS (
    SELECT
        coalesce((SELECT f.id FROM transcripts f WHERE f.received >= ?1 ORDER BY f.received, f.id LIMIT 1), 9223372036854775807),
        (
            SELECT min(b.id)
            FROM (
                SELECT CAST(?3 AS bigint) AS id
                UNION ALL
                SELECT l.id FROM (SELECT id FROM transcripts WHERE received >= ?2 ORDER BY received, id LIMIT 1) l
            ) b
        )
)
