INSERT INTO subscribers (account, id, match_key, email)
SELECT account, id, match_key, email
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) AS q (account, id, match_key, email)
