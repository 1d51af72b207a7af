-- Inserts a webhook of account ?1, unless the account has ?6 already. Without a number ?5, it begins with the next event.
INSERT INTO webhooks (account, url, kinds, secret, position)
SELECT ?1, ?2, ?3, ?4, coalesce(?5, (SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)
WHERE (SELECT count(*) FROM webhooks WHERE account = ?1) < ?6
RETURNING id
