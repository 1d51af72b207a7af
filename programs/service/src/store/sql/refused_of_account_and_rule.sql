-- Of account ?7 and refused by rule ?8, newest first, up to ?6 rows.
    AND t.account = ?7
    AND (t.rule, t.id) >= (?8, (SELECT low FROM bound))
    AND (t.rule, t.id) < (?8, (SELECT high FROM bound))
ORDER BY t.rule DESC, t.id DESC
LIMIT ?6
