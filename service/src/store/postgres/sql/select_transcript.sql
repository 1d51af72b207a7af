SELECT
    t.id, t.account, t.call, t.operation, t.code, t.rule, t.pointer, t.bytes, t.milliseconds, t.peer, t.request,
    floor(extract(epoch FROM t.received))::bigint, t.sealed
FROM transcripts t
