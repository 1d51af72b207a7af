SELECT address, active FROM senders WHERE account = $1 ORDER BY match_key
