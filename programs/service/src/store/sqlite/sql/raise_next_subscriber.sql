UPDATE accounts SET next_subscriber = max(next_subscriber, ?2 + 1) WHERE id = ?1
