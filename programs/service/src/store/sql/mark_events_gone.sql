UPDATE event_numbers SET gone = ?1 WHERE gone < ?1
