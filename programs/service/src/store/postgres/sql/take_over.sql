-- Releases what was claimed under the name $1, which is due at once.
UPDATE deliveries
SET claim = NULL, instance = NULL, due = clock_timestamp()
WHERE state = 'queued' AND claim IS NOT NULL AND instance = $1
