-- Calls with a transcript from time ?4 up to time ?5, after number ?7, and of account ?8 if that is not NULL: in the order
-- of their numbers, up to ?6 rows.
WHERE t.id > ?7
    AND t.id >= (SELECT low FROM bound)
    AND t.id < (SELECT high FROM bound)
    AND t.sealed IS NOT NULL
    AND coalesce(t.received, ?4) >= ?4
    AND coalesce(t.received, ?5) < ?5
    AND t.account = coalesce(?8, t.account)
ORDER BY t.id
LIMIT ?6
