-- The clock's time, and that of the latest delivery: a clock that was set back has shown it.
SELECT greatest(clock_timestamp(), (SELECT created FROM deliveries ORDER BY id DESC LIMIT 1))
