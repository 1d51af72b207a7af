SELECT DISTINCT account, subscriber FROM (SELECT account, subscriber FROM suppression_checks ORDER BY id LIMIT $1) c
