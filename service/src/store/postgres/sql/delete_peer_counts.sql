-- Addresses of clients go with the calls: what was counted of them more than $1 days ago.
DELETE FROM call_counts
WHERE day < floor(extract(epoch FROM clock_timestamp()) / 86400)::bigint - $1::integer AND account = 0
