-- Whether there is still a reader who can unsubscribe by the link in delivery ?1.
SELECT EXISTS (
    SELECT 1
    FROM deliveries d
    JOIN messages m ON m.call = d.call AND m.position = d.message
    JOIN subscribers s ON s.account = d.account AND s.id = d.subscriber
    WHERE d.id = ?1 AND m.unsubscribe IS NOT NULL
)
