SELECT id FROM large_plan_parts WHERE call = ?1 ORDER BY id
