-- The debit has counted the new ones already.
SELECT next_subscriber - ?2 FROM accounts WHERE id = ?1
