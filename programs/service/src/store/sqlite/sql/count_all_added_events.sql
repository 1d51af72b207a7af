-- As count_added_events.sql, of all accounts together.
INSERT INTO event_totals (day, kind, events)
SELECT happened / 86400, kind, count(*) FROM events WHERE number BETWEEN ?1 AND ?2 GROUP BY 1, 2
ON CONFLICT DO UPDATE SET events = events + excluded.events
