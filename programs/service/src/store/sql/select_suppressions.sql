-- Up to ?3 suppressions of account ?1 before number ?2, newest first.
SELECT id, subscriber, cause, created, report, concat_ws(' ', status, reason), lifted_reason, account
FROM suppressions
WHERE account = ?1 AND id < ?2
ORDER BY id DESC
LIMIT ?3
