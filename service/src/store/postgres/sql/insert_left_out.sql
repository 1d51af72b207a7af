INSERT INTO left_out (call, position, request, pointer, start, stop, rule)
SELECT $1, $7::bigint + q.position - 1, q.request, q.pointer, q.start, q.stop, q.rule
FROM unnest($2::integer[], $3::text[], $4::bigint[], $5::bigint[], $6::text[]) WITH ORDINALITY
    AS q (request, pointer, start, stop, rule, position)
