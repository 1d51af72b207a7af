-- Of account ?7 and refused by rule ?8, the latest first, up to ?6 rows.
    AND (t.account, t.rule, t.id) >= (?7, ?8, (SELECT low FROM bound))
    AND (t.account, t.rule, t.id) < (?7, ?8, (SELECT high FROM bound))
ORDER BY t.account DESC, t.rule DESC, t.id DESC
LIMIT ?6
