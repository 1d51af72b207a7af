-- Up to ?4 deliveries to the subscriber with match key ?2 of account ?1 before ?3, newest first.
WHERE d.account = ?1 AND d.id < ?3
    AND d.subscriber = (SELECT s.id FROM subscribers s WHERE s.account = ?1 AND s.match_key = ?2)
ORDER BY d.id DESC
LIMIT ?4
