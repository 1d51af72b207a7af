-- A credit without limit stays NULL, and the row of an account that has no limit at all is not written.
UPDATE credits c
SET subscribers = c.subscribers - q.subscribers, emails = c.emails - q.emails
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS q (account, subscribers, emails)
WHERE c.account = q.account AND coalesce(c.subscribers, c.emails) IS NOT NULL
