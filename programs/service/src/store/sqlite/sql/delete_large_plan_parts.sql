DELETE FROM large_plan_parts WHERE call = ?1
