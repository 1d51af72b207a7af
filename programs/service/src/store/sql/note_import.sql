INSERT INTO imports (file, done, refused)
VALUES (?1, ?2, ?3)
ON CONFLICT (file) DO UPDATE SET done = excluded.done, refused = excluded.refused
