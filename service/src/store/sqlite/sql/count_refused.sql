-- How many calls were refused today and on ?2 days before, of account ?1 or of all: the most frequent first, up to ?3 rows.
SELECT account, operation, code, rule, peer, sum(calls) AS calls
FROM call_counts
WHERE day >= unixepoch() / 86400 - ?2
    AND (?1 IS NULL OR account = ?1)
    AND rule <> ''
GROUP BY account, operation, code, rule, peer
ORDER BY 6 DESC, account, operation, code, rule, peer
LIMIT ?3
