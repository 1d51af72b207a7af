UPDATE reports SET undone = unixepoch(), undone_reason = ?2
WHERE id = ?1 AND undone IS NULL
RETURNING kind, account, subscriber, delivery
