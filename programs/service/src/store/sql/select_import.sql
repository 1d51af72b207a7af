SELECT done, refused FROM imports WHERE file = ?1
