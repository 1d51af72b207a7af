DELETE FROM blacklist WHERE domain = ?1
