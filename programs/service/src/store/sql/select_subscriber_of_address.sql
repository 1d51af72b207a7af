SELECT id, email, inactive, created FROM subscribers WHERE account = ?1 AND match_key = ?2
