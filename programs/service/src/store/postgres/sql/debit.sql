-- A credit without limit stays NULL.
UPDATE accounts a
SET subscriber_credit = a.subscriber_credit - q.subscribers, email_credit = a.email_credit - q.emails
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS q (id, subscribers, emails)
WHERE a.id = q.id
