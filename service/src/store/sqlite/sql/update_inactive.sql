UPDATE subscribers SET inactive = ?3 WHERE account = ?1 AND id = ?2
