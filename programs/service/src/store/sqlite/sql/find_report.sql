SELECT id, delivery FROM reports WHERE digest = ?1
