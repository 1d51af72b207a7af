INSERT INTO left_out (call, position, request, pointer, start, stop, rule)
SELECT call, position, request, pointer, start, stop, rule
FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::text[], $5::bigint[], $6::bigint[], $7::text[])
    AS q (call, position, request, pointer, start, stop, rule)
