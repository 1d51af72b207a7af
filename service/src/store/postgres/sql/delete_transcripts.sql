-- Up to $2 kept calls that are older than $1 days, the oldest first. They are deleted by ctid: the plan is made before $2 is known,
-- and a join by id would then read the whole table.
DELETE FROM transcripts
WHERE ctid = ANY (ARRAY(
    SELECT ctid
    FROM transcripts
    WHERE received <= clock_timestamp() - make_interval(days => $1::integer)
    ORDER BY received, id
    LIMIT $2
))
