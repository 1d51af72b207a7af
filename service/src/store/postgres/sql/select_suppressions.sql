SELECT subscriber, cause, floor(extract(epoch FROM created))::bigint, report, concat_ws(' ', status, reason), lifted_reason
FROM suppressions
WHERE account = $1
ORDER BY id
