DELETE FROM large_plan_parts
WHERE id = ?1
RETURNING table_name, rows
