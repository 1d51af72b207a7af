INSERT INTO audit (operator, action) VALUES (?1, ?2) RETURNING id
