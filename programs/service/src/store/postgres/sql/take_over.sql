-- Releases the deliveries that were claimed under the name $1, so that they can be claimed again at once.
UPDATE queue
SET claim = NULL, instance = NULL, leased = '-infinity'
WHERE instance = $1
