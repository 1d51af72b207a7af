SELECT last FROM event_numbers
