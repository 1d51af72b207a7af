DELETE FROM webhooks WHERE account = ?1 AND id = ?2
