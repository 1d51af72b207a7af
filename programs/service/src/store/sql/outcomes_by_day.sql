-- Events of account ?1 by day and type, today and on the ?2 days before.
SELECT day, kind, events FROM event_counts WHERE account = ?1 AND day >= today() - ?2 ORDER BY day DESC, kind
