SELECT subscriber, cause, created, report, concat_ws(' ', status, reason), lifted_reason
FROM suppressions
WHERE account = ?1
ORDER BY id
