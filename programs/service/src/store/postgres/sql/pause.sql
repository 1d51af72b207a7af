UPDATE outbox SET paused = $1
