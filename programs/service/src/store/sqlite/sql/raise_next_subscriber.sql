UPDATE credits SET next_subscriber = max(next_subscriber, ?2 + 1) WHERE account = ?1
