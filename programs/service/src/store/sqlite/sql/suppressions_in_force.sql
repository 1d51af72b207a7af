SELECT cause, created FROM suppressions WHERE account = ?1 AND subscriber = ?2 AND lifted IS NULL
