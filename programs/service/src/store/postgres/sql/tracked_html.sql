-- What the HTML of delivery $1 is made of, if its call has asked for its links to be tracked and there is still a reader.
SELECT d.to_address, m.mailer, d.fields::text, c.html
FROM deliveries d
JOIN messages m ON m.call = d.call AND m.position = d.message
JOIN subscribers s ON s.account = d.account AND s.id = d.subscriber
JOIN contents c ON c.hash = m.content
WHERE d.id = $1 AND m.track_clicks
