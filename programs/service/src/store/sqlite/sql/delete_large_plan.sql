DELETE FROM large_plans WHERE call = ?1
