DELETE FROM imports WHERE file = ?1
