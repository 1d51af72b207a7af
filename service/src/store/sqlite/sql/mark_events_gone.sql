UPDATE event_numbers SET gone = max(gone, ?1)
