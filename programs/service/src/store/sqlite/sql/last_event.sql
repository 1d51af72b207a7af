SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)
