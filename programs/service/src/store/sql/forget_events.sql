DELETE FROM events WHERE number IS NOT NULL AND number <= ?1
