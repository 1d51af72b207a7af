-- Releases what was claimed under the name $1, which can be claimed again at once.
UPDATE queue
SET claim = NULL, instance = NULL, leased = '-infinity'
WHERE instance = $1
