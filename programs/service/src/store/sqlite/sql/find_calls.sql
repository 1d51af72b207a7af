SELECT c.id
FROM json_each(?1) j
CROSS JOIN calls c ON c.id = j.value
