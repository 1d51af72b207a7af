SELECT setval('subscriber_ids', $1) WHERE $1 > (SELECT last_value FROM subscriber_ids)
