DELETE FROM keys WHERE account = ?1 AND id = ?2
