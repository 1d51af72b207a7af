-- All columns of all calls at once, so that they are one snapshot and one round trip. Each question has its account beside it. The
-- domains of stored addresses are told from their text; which of their parents are listed is asked by the statement that
-- follows, in the same snapshot.
SELECT 0 AS asked, q.place, m.revision AS number, m.from_address AS text, m.from_name AS name, false AS inactive
FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY q (account, id, place)
JOIN mailers m ON m.account = q.account AND m.id = q.id
UNION ALL
SELECT 1, q.place, NULL, NULL, NULL, false
FROM unnest($3::bigint[], $4::text[]) WITH ORDINALITY q (account, match_key, place)
JOIN senders s ON s.account = q.account AND s.match_key = q.match_key AND s.active
UNION ALL
SELECT 2, q.place, s.id, s.email, NULL, s.inactive
FROM unnest($5::bigint[], $6::bigint[]) WITH ORDINALITY q (account, id, place)
JOIN subscribers s ON s.account = q.account AND s.id = q.id
UNION ALL
SELECT 3, q.place, s.id, CASE WHEN q.wants_address THEN s.email END, NULL, s.inactive
FROM unnest($7::bigint[], $8::text[], $9::boolean[]) WITH ORDINALITY q (account, match_key, wants_address, place)
JOIN subscribers s ON s.account = q.account AND s.match_key = q.match_key
UNION ALL
SELECT 4, q.place, NULL, NULL, NULL, false
FROM unnest($10::bigint[], $11::text[]) WITH ORDINALITY q (account, name, place)
JOIN lists l ON l.account = q.account AND l.name = q.name
UNION ALL
SELECT 5, q.place, b.roles, NULL, NULL, false
FROM unnest($12::text[]) WITH ORDINALITY q (domain, place)
JOIN blacklist b ON b.domain = q.domain
