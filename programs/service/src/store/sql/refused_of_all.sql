-- Newest first, up to ?6 rows.
    AND t.id >= (SELECT low FROM bound)
    AND t.id < (SELECT high FROM bound)
ORDER BY t.id DESC
LIMIT ?6
