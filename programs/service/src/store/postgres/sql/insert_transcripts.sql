INSERT INTO transcripts (account, call, operation, code, rule, pointer, bytes, milliseconds, peer, request, sealed)
SELECT *
FROM unnest(
    $1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::text[], $10::text[],
    $11::bytea[]
)
