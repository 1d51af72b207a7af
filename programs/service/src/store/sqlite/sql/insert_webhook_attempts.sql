-- Attempts of webhook ?1: number, attempt, status, problem, milliseconds.
INSERT INTO webhook_attempts (webhook, number, attempt, status, problem, milliseconds)
SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
FROM json_each(?2)
ORDER BY key
