-- Locks the credits of account ?1 until the end of the transaction: both databases lock a row that is updated. What the statements
-- after this one read of it is then what they change.
UPDATE credits SET emails = emails WHERE account = ?1
