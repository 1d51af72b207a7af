INSERT INTO large_plan_parts (call, table_name, rows) VALUES (?1, ?2, ?3)
RETURNING id
