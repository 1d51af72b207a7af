-- Refused by rule ?7, newest first, up to ?6 rows.
    AND (t.rule, t.id) >= (?7, (SELECT low FROM bound))
    AND (t.rule, t.id) < (?7, (SELECT high FROM bound))
ORDER BY t.rule DESC, t.id DESC
LIMIT ?6
