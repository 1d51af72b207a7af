-- Whether the image of delivery $1 is one that its call has asked for, and there is still a reader.
SELECT EXISTS (
    SELECT 1
    FROM deliveries d
    JOIN messages m ON m.call = d.call AND m.position = d.message
    JOIN subscribers s ON s.account = d.account AND s.id = d.subscriber
    WHERE d.id = $1 AND m.track_opens
)
