INSERT INTO transcripts (account, call, operation, code, rule, pointer, bytes, milliseconds, peer, request, sealed)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
