-- New ids continue after the chosen id $1.
SELECT setval('subscriber_ids', greatest($1::bigint, last_value)) FROM subscriber_ids
