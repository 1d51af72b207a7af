INSERT INTO imports (file, done) VALUES (?1, ?2) ON CONFLICT (file) DO UPDATE SET done = excluded.done
