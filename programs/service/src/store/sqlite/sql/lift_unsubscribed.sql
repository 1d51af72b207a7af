UPDATE unsubscribed SET lifted = unixepoch(), lifted_reason = ?3
WHERE account = ?1 AND id = ?2 AND lifted IS NULL
RETURNING subscriber
