-- Whether delivery ?1 is queued, whether its content is stored, and whether it was cancelled less than ?2 seconds ago.
SELECT
    d.state = 'queued',
    m.content IS NOT NULL,
    coalesce(d.cancelled AND d.state = 'bounced' AND d.ended > unixepoch() - ?2, 0)
FROM deliveries d
JOIN messages m ON m.call = d.call AND m.position = d.message
WHERE d.id = ?1
