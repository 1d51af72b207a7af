-- Refused by rule ?7.
    AND t.rule = ?7
