-- Those of the deliveries ?1 that are queued.
SELECT delivery FROM queue WHERE delivery IN (SELECT value FROM json_each(?1))
