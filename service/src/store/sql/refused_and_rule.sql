-- And by rule ?8.
    AND t.rule = ?8
