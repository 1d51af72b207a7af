INSERT INTO email_counts (day, account, code, emails)
VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (day, account, code) DO UPDATE SET emails = email_counts.emails + excluded.emails
