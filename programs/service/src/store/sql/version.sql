SELECT version, least FROM schema_version ORDER BY version DESC LIMIT 1
