INSERT INTO credits (account, subscribers, emails) VALUES (?1, ?2, ?3)
