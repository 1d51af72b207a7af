-- Events that webhook ?1 has not accepted: number, attempts, and the seconds until the next attempt.
INSERT INTO webhook_retries (webhook, number, attempts, due)
SELECT ?1, value ->> 0, value ->> 1, unixepoch() + (value ->> 2)
FROM json_each(?2)
WHERE true
ON CONFLICT DO UPDATE SET attempts = excluded.attempts, due = excluded.due
