,
-- Calls with a transcript from time ?4 up to time ?5, after number ?7, and of account ?8 if that is not NULL: in the order
-- of their numbers, up to ?6 rows.
next_ones AS (
    SELECT n.id, length(n.sealed) AS size
    FROM transcripts n
    WHERE n.id > ?7
        AND n.id >= (SELECT low FROM bound)
        AND n.id < (SELECT high FROM bound)
        AND n.sealed IS NOT NULL
        AND coalesce(n.received, ?4) >= ?4
        AND coalesce(n.received, ?5) < ?5
        AND n.account = coalesce(?8, n.account)
    ORDER BY n.id
    LIMIT ?6
),
placed AS (
    SELECT id, sum(size) OVER (ORDER BY id) - size AS place FROM next_ones
)
