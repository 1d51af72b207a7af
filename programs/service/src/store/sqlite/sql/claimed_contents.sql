SELECT hash, html
FROM contents
WHERE hash IN (SELECT unhex(value) FROM json_each(?1))
