SELECT call, digest, answer
FROM idempotency
WHERE account = $1 AND key = $2 AND created > clock_timestamp() - $3::bigint * interval '1 second'
