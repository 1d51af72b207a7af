SELECT call, digest, answer
FROM idempotency
WHERE account = $1 AND key = $2 AND created > clock_timestamp() - interval '1 day'
