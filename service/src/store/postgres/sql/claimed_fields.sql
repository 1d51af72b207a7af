SELECT q.place - 1, f.name, f.value
FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS q (account, subscriber, place)
JOIN subscriber_fields f ON f.account = q.account AND f.subscriber = q.subscriber
