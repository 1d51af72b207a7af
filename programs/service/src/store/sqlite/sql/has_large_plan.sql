SELECT EXISTS (SELECT 1 FROM large_plans WHERE account = ?1)
