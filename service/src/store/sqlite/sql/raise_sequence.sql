UPDATE sequence SET next_subscriber = max(next_subscriber, ?1 + 1)
