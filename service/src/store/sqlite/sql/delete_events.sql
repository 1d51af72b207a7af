-- The first ?2 events up to one that came less than ?1 days ago: those that are left have no gap before them.
DELETE FROM events
WHERE number IN (SELECT number FROM events ORDER BY number LIMIT ?2)
    AND number < coalesce(
        (
            SELECT min(o.number)
            FROM (SELECT number, happened FROM events ORDER BY number LIMIT ?2) o
            WHERE o.happened > unixepoch() - ?1 * 86400
        ),
        9223372036854775807
    )
RETURNING number
