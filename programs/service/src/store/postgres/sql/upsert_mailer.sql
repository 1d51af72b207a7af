WITH stored AS (
    INSERT INTO contents (hash, html) VALUES ($6, $7) ON CONFLICT DO NOTHING
)
INSERT INTO mailers (account, id, from_address, from_name, subject, content, list_unsubscribe, names, unsubscribe)
SELECT $1, coalesce($2, (SELECT coalesce(max(id), 0) + 1 FROM mailers WHERE account = $1)), $3, $4, $5, $6, $8, $9, $10
ON CONFLICT (account, id) DO UPDATE
SET from_address = excluded.from_address, from_name = excluded.from_name, subject = excluded.subject,
    content = excluded.content, list_unsubscribe = excluded.list_unsubscribe,
    names = excluded.names, unsubscribe = excluded.unsubscribe, revision = mailers.revision + 1
RETURNING id
