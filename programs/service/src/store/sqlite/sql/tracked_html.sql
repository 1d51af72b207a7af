-- The parts of the HTML of delivery ?1, if its call asked for clicks to be tracked and the reader is still stored.
SELECT d.to_address, m.mailer, d.fields, c.html
FROM deliveries d
JOIN messages m ON m.call = d.call AND m.position = d.message
JOIN subscribers s ON s.account = d.account AND s.id = d.subscriber
JOIN contents c ON c.hash = m.content
WHERE d.id = ?1 AND m.track_clicks
