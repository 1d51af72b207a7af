SELECT EXISTS (SELECT 1 FROM subscribers WHERE account = ?1 AND match_key = ?2)
