-- The later of the clock's time and the time of the latest delivery, which a clock that was set back has shown before.
SELECT greatest(clock_timestamp(), (SELECT created FROM deliveries ORDER BY id DESC LIMIT 1))
