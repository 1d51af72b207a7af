-- Who has claimed a delivery is known to the process that serves the file, and to nobody after its end.
ALTER TABLE deliveries DROP COLUMN lease_owner;
ALTER TABLE deliveries DROP COLUMN lease_until;
-- When it was first tried: from then on the time counts after which it is given up.
ALTER TABLE deliveries ADD COLUMN tried INTEGER;

-- Sending is paused by the operator: of an account, or altogether.
ALTER TABLE accounts ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
CREATE TABLE outbox (
    paused INTEGER NOT NULL,
    -- The key of the hash that Message-IDs are.
    secret BLOB NOT NULL
) STRICT;
INSERT INTO outbox VALUES (0, randomblob(32));

-- A template of an https: or mailto: URL.
ALTER TABLE mailers ADD COLUMN list_unsubscribe TEXT;
