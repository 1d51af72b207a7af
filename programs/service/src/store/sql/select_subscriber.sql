SELECT id, email, inactive, created FROM subscribers WHERE account = ?1 AND id = ?2
