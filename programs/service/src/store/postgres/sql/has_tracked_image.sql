-- Whether the call of delivery $1 asked for opens to be tracked, and the reader is still stored.
SELECT EXISTS (
    SELECT 1
    FROM deliveries d
    JOIN messages m ON m.call = d.call AND m.position = d.message
    JOIN subscribers s ON s.account = d.account AND s.id = d.subscriber
    WHERE d.id = $1 AND m.track_opens
)
