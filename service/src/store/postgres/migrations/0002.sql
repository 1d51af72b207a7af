-- What is queued may be claimed when it is due, and a claim moves that to the end of its lease: an expired lease is due.
ALTER TABLE deliveries DROP COLUMN lease_owner;
ALTER TABLE deliveries DROP COLUMN lease_until;
-- The claim whose lease it is. Each claim has a number of its own, so that whoever has lost a lease settles nothing.
ALTER TABLE deliveries ADD COLUMN claim bigint;
CREATE SEQUENCE claim_ids;
-- When it was first tried: from then on the time counts after which it is given up.
ALTER TABLE deliveries ADD COLUMN tried timestamptz;

-- Sending is paused by the operator: of an account, or altogether.
ALTER TABLE accounts ADD COLUMN paused boolean NOT NULL DEFAULT false;
CREATE TABLE outbox (
    paused boolean NOT NULL,
    -- The key of the hash that Message-IDs are.
    secret bytea NOT NULL
);
INSERT INTO outbox
VALUES (false, sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

-- A template of an https: or mailto: URL.
ALTER TABLE mailers ADD COLUMN list_unsubscribe text;
