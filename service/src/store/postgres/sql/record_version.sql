INSERT INTO schema_version (version) VALUES ($1)
