-- Of account ?7.
    AND t.account = ?7
