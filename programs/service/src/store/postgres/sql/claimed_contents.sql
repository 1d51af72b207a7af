SELECT hash, html
FROM contents
WHERE hash = ANY ($1)
