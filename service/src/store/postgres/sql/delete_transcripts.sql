-- Up to $2 kept calls that came more than $1 days ago, the oldest first. They are found by their places: how many there are is
-- known when the statement runs, and a plan made before would read all of the table.
DELETE FROM transcripts
WHERE ctid = ANY (ARRAY(
    SELECT ctid
    FROM transcripts
    WHERE received <= clock_timestamp() - make_interval(days => $1::integer)
    ORDER BY received, id
    LIMIT $2
))
