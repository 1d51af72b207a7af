SELECT t.id, CAST(length(t.sealed) AS bigint)
FROM transcripts t
