-- Of account ?7, newest first, up to ?6 rows. Row values are compared, so that both databases read one range of one index.
    AND (t.account, t.id) >= (?7, (SELECT low FROM bound))
    AND (t.account, t.id) < (?7, (SELECT high FROM bound))
ORDER BY t.account DESC, t.id DESC
LIMIT ?6
