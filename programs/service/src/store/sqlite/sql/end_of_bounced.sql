-- The last bounced delivery of account ?1 at which a search looks. Of the deliveries from time ?2 on, and before delivery ?4 at time ?3,
-- newest first, it is the one after ?5 others. No row if there are fewer.
SELECT created, id
FROM deliveries
WHERE account = ?1 AND state = 'bounced' AND created >= ?2 AND (created, id) < (?3, ?4)
ORDER BY created DESC, id DESC
LIMIT 1 OFFSET ?5
