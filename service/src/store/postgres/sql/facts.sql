-- All columns at once, so that they are one snapshot and one round trip. The domains of stored addresses are told from
-- their text; which of their parents are listed is asked by the statement that follows, in the same snapshot.
SELECT 0 AS asked, q.place, m.revision AS number, m.from_address AS text, m.from_name AS name, false AS inactive
FROM unnest($2::bigint[]) WITH ORDINALITY q (id, place)
JOIN mailers m ON m.account = $1 AND m.id = q.id
UNION ALL
SELECT 1, q.place, NULL, NULL, NULL, false
FROM unnest($3::text[]) WITH ORDINALITY q (match_key, place)
JOIN senders s ON s.account = $1 AND s.match_key = q.match_key AND s.active
UNION ALL
SELECT 2, q.place, s.id, s.email, NULL, s.inactive
FROM unnest($4::bigint[]) WITH ORDINALITY q (id, place)
JOIN subscribers s ON s.account = $1 AND s.id = q.id
UNION ALL
SELECT 3, q.place, s.id, CASE WHEN $8 THEN s.email END, NULL, s.inactive
FROM unnest($5::text[]) WITH ORDINALITY q (match_key, place)
JOIN subscribers s ON s.account = $1 AND s.match_key = q.match_key
UNION ALL
SELECT 4, q.place, NULL, NULL, NULL, false
FROM unnest($6::text[]) WITH ORDINALITY q (name, place)
JOIN lists l ON l.account = $1 AND l.name = q.name
UNION ALL
SELECT 5, q.place, b.roles, NULL, NULL, false
FROM unnest($7::text[]) WITH ORDINALITY q (domain, place)
JOIN blacklist b ON b.domain = q.domain
