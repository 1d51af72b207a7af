-- Events that were not accepted are tried as if for the first time.
UPDATE webhook_retries SET attempts = 0, first = unixepoch(), due = unixepoch() WHERE webhook = ?1
