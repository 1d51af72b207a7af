SELECT number, happened FROM events WHERE number IS NOT NULL ORDER BY number LIMIT 100
