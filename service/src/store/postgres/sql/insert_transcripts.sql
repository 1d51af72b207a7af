INSERT INTO transcripts (account, call, operation, code, rule, bytes, milliseconds, peer, request, sealed)
SELECT *
FROM unnest(
    $1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::text[], $9::text[], $10::bytea[]
)
