DELETE FROM suppression_checks WHERE account = ?1 AND subscriber = ?2
