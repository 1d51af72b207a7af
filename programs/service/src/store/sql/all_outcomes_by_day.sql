-- Events by day and type, today and on the ?1 days before.
SELECT day, kind, events FROM event_totals WHERE day >= today() - ?1 ORDER BY day DESC, kind
