DELETE FROM queue WHERE delivery IN (SELECT value FROM json_each(?1))
