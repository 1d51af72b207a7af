-- The large plans that a process has left unfinished, and whether each was accepted.
SELECT p.call, EXISTS (SELECT 1 FROM calls c WHERE c.id = p.call)
FROM large_plans p
