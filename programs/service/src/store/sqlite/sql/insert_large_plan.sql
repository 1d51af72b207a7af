INSERT INTO large_plans (call, account) VALUES (?1, ?2)
