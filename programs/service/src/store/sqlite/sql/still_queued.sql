-- Returns which of the deliveries ?1 are queued.
SELECT delivery FROM queue WHERE delivery IN (SELECT value FROM json_each(?1))
