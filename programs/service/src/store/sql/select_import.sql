SELECT done FROM imports WHERE file = ?1
