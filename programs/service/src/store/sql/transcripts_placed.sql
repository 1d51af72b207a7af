-- A call is found if the transcripts before it have less than ?9 bytes together, so a longer one is found as well.
JOIN placed p ON p.id = t.id
WHERE p.place < ?9
ORDER BY t.id
