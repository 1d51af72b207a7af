SELECT request, pointer, start, stop, rule FROM left_out WHERE call = ?1 ORDER BY position
