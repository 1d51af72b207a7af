SELECT
    t.id, t.account, t.call, t.operation, t.code, t.rule, t.pointer, t.bytes, t.milliseconds, t.peer, t.request,
    t.received, t.sealed
FROM transcripts t
