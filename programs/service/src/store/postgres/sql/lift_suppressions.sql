-- Lifts the suppressions for the cause $3, or all of them if $3 is NULL.
UPDATE suppressions SET lifted = clock_timestamp(), lifted_reason = $4
WHERE account = $1 AND subscriber = $2 AND lifted IS NULL AND ($3::text IS NULL OR cause = $3)
RETURNING was_active
