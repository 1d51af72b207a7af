-- An id that somebody chose is counted on from.
SELECT setval('subscriber_ids', greatest($1::bigint, last_value)) FROM subscriber_ids
