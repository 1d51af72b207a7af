-- Locks the credits of account ?1 until the end of the transaction: both databases lock a row that is updated. So the next
-- statements change the values that they read.
UPDATE credits SET emails = emails WHERE account = ?1
