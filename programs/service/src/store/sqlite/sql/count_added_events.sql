-- Counts the events with numbers from ?1 up to ?2.
INSERT INTO event_counts (day, account, kind, events)
SELECT happened / 86400, account, kind, count(*) FROM events WHERE number BETWEEN ?1 AND ?2 GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET events = events + excluded.events
