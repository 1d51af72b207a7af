-- New ids continue after an id that was chosen.
SELECT setval('subscriber_ids', greatest($1::bigint, last_value)) FROM subscriber_ids
