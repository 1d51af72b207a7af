SELECT cause, floor(extract(epoch FROM created))::bigint FROM suppressions WHERE account = $1 AND subscriber = $2 AND lifted IS NULL
