-- Counts by the address of a client that are older than $1 days.
DELETE FROM call_counts
WHERE day < floor(extract(epoch FROM clock_timestamp()) / 86400)::bigint - $1::integer AND account = 0
