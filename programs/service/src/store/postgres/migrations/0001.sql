-- A table that grows is vacuumed when a fiftieth of its rows has changed. The default is a fifth, which is late for a hundred million rows.
CREATE TABLE accounts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    blocked boolean NOT NULL,
    expired boolean NOT NULL,
    deactivated boolean NOT NULL,
    -- Whether emails of httpSendMail have the service's own List-Unsubscribe.
    http_unsubscribe boolean NOT NULL DEFAULT false,
    -- Whether the operator has paused sending its emails.
    paused boolean NOT NULL DEFAULT false,
    created timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- What an account may still create and send. This row is the lock of its account: whoever writes for the account locks or changes this row
-- before reading anything else. Several accounts are locked in the order of their numbers. So an account has one writer at a time, and what
-- a writer has read stays true until it ends. The row of `accounts` is not the lock, because a new row that refers to an account locks that
-- row as well. If it also changed with each call, two transactions would often hold locks on it at the same time.
-- Half of each page stays free, so that the new version of a row fits on the page of the old one.
CREATE TABLE credits (
    account bigint PRIMARY KEY REFERENCES accounts,
    -- NULL is no limit.
    subscribers bigint CHECK (subscribers >= 0),
    emails bigint CHECK (emails >= 0)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Live keys only: a revoked key is deleted.
CREATE TABLE keys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account bigint NOT NULL REFERENCES accounts,
    hash bytea NOT NULL UNIQUE,
    -- For people.
    label text,
    -- When it was last used, to within a minute.
    used timestamptz,
    created timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX keys_of_account ON keys (account);

CREATE TABLE senders (
    account bigint NOT NULL REFERENCES accounts,
    match_key text COLLATE "C" NOT NULL,
    address text NOT NULL,
    active boolean NOT NULL,
    PRIMARY KEY (account, match_key)
);

-- HTML texts, each once under its SHA-256.
CREATE TABLE contents (
    hash bytea PRIMARY KEY,
    -- Bytes, because a text here cannot hold NUL.
    html bytea NOT NULL
);

CREATE TABLE mailers (
    account bigint NOT NULL REFERENCES accounts,
    id bigint NOT NULL,
    from_address text NOT NULL,
    from_name text,
    subject text NOT NULL,
    content bytea NOT NULL REFERENCES contents,
    -- A template of an https: or mailto: URL.
    list_unsubscribe text,
    -- The emails that a reader unsubscribes from by the service's own List-Unsubscribe. NULL if the emails do not have it.
    unsubscribe text CHECK (unsubscribe IN ('mailer', 'account')),
    -- The names of the fields with which the subject, the HTML and the URL are filled in.
    names text[] NOT NULL,
    -- A number that changes with each change.
    revision bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (account, id)
);
CREATE INDEX mailers_of_content ON mailers (content);

CREATE TABLE lists (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account bigint NOT NULL REFERENCES accounts,
    name text COLLATE "C" NOT NULL,
    UNIQUE (account, name)
);

CREATE SEQUENCE subscriber_ids;

CREATE TABLE subscribers (
    account bigint NOT NULL REFERENCES accounts,
    id bigint NOT NULL DEFAULT nextval('subscriber_ids'),
    match_key text COLLATE "C" NOT NULL,
    email text NOT NULL,
    inactive boolean NOT NULL DEFAULT false,
    created timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account, id),
    UNIQUE (account, match_key)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- Personalization by the interface's names. An empty value means that the field was cleared.
CREATE TABLE subscriber_fields (
    account bigint NOT NULL,
    subscriber bigint NOT NULL,
    name text NOT NULL,
    -- UTF-8 as bytes, because a text here cannot hold NUL.
    value bytea NOT NULL,
    PRIMARY KEY (account, subscriber, name),
    FOREIGN KEY (account, subscriber) REFERENCES subscribers ON DELETE CASCADE
);

CREATE TABLE list_members (
    list bigint NOT NULL REFERENCES lists ON DELETE CASCADE,
    account bigint NOT NULL,
    subscriber bigint NOT NULL,
    PRIMARY KEY (list, subscriber),
    FOREIGN KEY (account, subscriber) REFERENCES subscribers ON DELETE CASCADE
);
CREATE INDEX lists_of_subscriber ON list_members (account, subscriber);

-- The roles are bits: 1 sender, 2 reply address, 4 recipient, 8 content.
CREATE TABLE blacklist (
    domain text COLLATE "C" PRIMARY KEY,
    roles smallint NOT NULL
);

-- An accepted call, under the transactionId that it was answered with.
CREATE TABLE calls (
    id bigint PRIMARY KEY,
    account bigint NOT NULL REFERENCES accounts,
    operation text NOT NULL,
    emails bigint NOT NULL,
    subscribers bigint NOT NULL,
    created timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX calls_of_account ON calls (account, created);

CREATE TABLE messages (
    call bigint NOT NULL REFERENCES calls ON DELETE CASCADE,
    position integer NOT NULL,
    -- The place in `requests`; NULL on sendMailer.
    request integer,
    mailer bigint,
    subject text NOT NULL,
    -- NULL when its retention is over.
    content bytea REFERENCES contents,
    from_address text NOT NULL,
    from_name text,
    reply_to text,
    -- That of the stored email at acceptance.
    list_unsubscribe text,
    -- The emails that a reader unsubscribes from by the service's own List-Unsubscribe. NULL if the email was accepted without it.
    unsubscribe text CHECK (unsubscribe IN ('mailer', 'httpSendMail', 'account')),
    -- UTF-8 as bytes, because a text here cannot hold NUL.
    custom_field bytea,
    track_opens boolean NOT NULL,
    track_clicks boolean NOT NULL,
    PRIMARY KEY (call, position)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX messages_of_content ON messages (content);
-- The messages that are emptied when their time is over.
CREATE INDEX messages_with_content ON messages (call, position) WHERE content IS NOT NULL;

-- The requests and recipients that a partial batch has left out, each with the rule that it broke and its place in the body.
CREATE TABLE left_out (
    call bigint NOT NULL REFERENCES calls ON DELETE CASCADE,
    position integer NOT NULL,
    -- The place in `requests`.
    request integer,
    -- A JSON Pointer, and the bytes of the body from `start` up to `stop`.
    pointer text,
    start bigint,
    stop bigint,
    rule text NOT NULL,
    PRIMARY KEY (call, position)
);

-- The record of one email to one recipient. It is written when the email is accepted and when an attempt to send it has ended.
CREATE TABLE deliveries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    call bigint NOT NULL,
    message integer NOT NULL,
    -- The account of its call. The call has the reference to it.
    account bigint NOT NULL,
    -- No reference, because a subscriber may be deleted while the record of what was sent stays.
    subscriber bigint NOT NULL,
    to_address text NOT NULL,
    role text,
    -- The values that the email is filled in with, as they were at acceptance, by their names: UTF-8 in base64, because a
    -- text here cannot hold NUL. NULL if nothing is filled in.
    fields json,
    -- A delivery has a row in `queue` exactly while it is queued.
    state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'delivered', 'bounced')),
    attempts integer NOT NULL DEFAULT 0,
    -- When it was first tried. The time until it is given up counts from then.
    tried timestamptz,
    cancelled boolean NOT NULL DEFAULT false,
    -- The server's last answer, or why it was cancelled.
    reason text,
    -- Outcomes as bits: 1 bounced, 2 delivered, 4 opened, 8 clicked, 16 complained of.
    events smallint NOT NULL DEFAULT 0,
    created timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended timestamptz,
    FOREIGN KEY (call, message) REFERENCES messages ON DELETE CASCADE
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX deliveries_of_message ON deliveries (call, message);
-- For an operator's questions about a reader.
CREATE INDEX deliveries_of_subscriber ON deliveries (account, subscriber, id);
CREATE INDEX deliveries_bounced ON deliveries (account, created, id) WHERE state = 'bounced';

-- When each queued email is sent next, and who has claimed it. A row is added and removed in the transaction that changes the state of its
-- delivery. A claim changes only this row, so it writes little. A search for waiting emails does not pass over emails that ended long ago.
-- Nobody has to read both tables: `deliveries` tells whether an email has ended, and this table which emails wait. A transaction that
-- changes both locks this row first. There is no reference to `deliveries`, because each new row would lock the delivery. A statement that
-- deletes queued deliveries is followed by one that deletes their rows here.
CREATE TABLE queue (
    delivery bigint PRIMARY KEY,
    account bigint NOT NULL,
    -- An email may be claimed when it is due and its lease is over.
    due timestamptz NOT NULL DEFAULT clock_timestamp(),
    leased timestamptz NOT NULL DEFAULT '-infinity',
    -- The claim that holds the lease. Each claim has a number of its own, so a process that has lost a lease settles nothing.
    claim bigint,
    -- Whose claim it is: the number of the process's name. NULL if the process has no name of its own.
    instance bigint,
    -- 0 for an email of sendMailer, 1 for one of httpSendMail. Claims take from both classes of an account, so that neither waits for the
    -- other to be empty.
    traffic_class smallint NOT NULL
-- A claim changes no indexed column, and each page has room for the new versions of its rows. So a claim does not write to the index.
) WITH (fillfactor = 44, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE SEQUENCE claim_ids;
CREATE INDEX queue_by_time ON queue (account, traffic_class, due, delivery);

CREATE TABLE idempotency (
    account bigint NOT NULL REFERENCES accounts,
    key text COLLATE "C" NOT NULL,
    call bigint NOT NULL,
    -- SHA-256 of the operation and the body.
    digest bytea NOT NULL,
    answer text NOT NULL,
    created timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account, key)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX idempotency_by_age ON idempotency (created);

CREATE TABLE outbox (
    -- Whether the operator has paused all sending.
    paused boolean NOT NULL,
    -- The key of Message-IDs.
    secret bytea NOT NULL,
    -- The key of the hashes of readers who have unsubscribed.
    reader_key bytea NOT NULL
);
INSERT INTO outbox
VALUES (
    false,
    sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')),
    sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
);

-- The hash of a reader's match key, by a key of 32 bytes. It is hashed twice, because a single SHA-256 can be extended without the key.
CREATE FUNCTION reader_hash(key bytea, match_key text) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT sha256($1 || sha256($1 || convert_to($2, 'UTF8')))
$$;

-- What became of emails and of their readers. Transactions may commit in another order than the one in which they write. So an
-- event is numbered after its commit, and no event is ever added before a number that a reader has seen.
CREATE TABLE events (
    added bigint GENERATED ALWAYS AS IDENTITY,
    -- NULL until it is numbered. Readers do not see it before that.
    number bigint,
    -- No references: what an event is about may be deleted while the event stays.
    account bigint NOT NULL,
    -- NULL for an event about the account alone.
    subscriber bigint,
    -- NULL for an event about a subscriber or the account alone.
    delivery bigint,
    kind text NOT NULL,
    -- The enhanced status code (RFC 3463), if there is one.
    status text,
    reason text,
    -- The report that says so. NULL if the service has seen it itself.
    report bigint,
    happened timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE UNIQUE INDEX events_by_number ON events (number) WHERE number IS NOT NULL;
CREATE INDEX events_unnumbered ON events (added) WHERE number IS NULL;
CREATE INDEX events_of_subscriber ON events (account, subscriber);
CREATE INDEX events_of_account ON events (account, number) WHERE number IS NOT NULL;

-- The last number that was given, even if its event is deleted, and the number up to which events were deleted when their time was over.
CREATE TABLE event_numbers (
    last bigint NOT NULL,
    gone bigint NOT NULL
);
INSERT INTO event_numbers VALUES (0, 0);

-- Events by the day on which they happened. They are counted once, when they get their number. The counts stay when events are deleted.
CREATE TABLE event_counts (
    -- Days since 1970, in UTC.
    day bigint NOT NULL,
    -- No reference: counts stay when the account is deleted.
    account bigint NOT NULL,
    kind text NOT NULL,
    events bigint NOT NULL,
    PRIMARY KEY (account, day, kind)
);

-- The same counts for all accounts together.
CREATE TABLE event_totals (
    day bigint NOT NULL,
    kind text NOT NULL,
    events bigint NOT NULL,
    PRIMARY KEY (day, kind)
);

-- Reports that came in, with what was read from each. No address, subject or text of an email is kept.
CREATE TABLE reports (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- SHA-256 of the message. A message that is handed over twice is one report.
    digest bytea NOT NULL UNIQUE,
    kind text NOT NULL,
    -- The enhanced status code (RFC 3463), if there is one.
    status text,
    reason text,
    -- By what the email was found. NULL if none was found.
    matched text,
    -- No references: what a report is about may be deleted while the report stays.
    account bigint,
    subscriber bigint,
    delivery bigint,
    received timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When the operator has undone it, and why.
    undone timestamptz,
    undone_reason text
);
CREATE INDEX reports_of_delivery ON reports (delivery) WHERE delivery IS NOT NULL;
CREATE INDEX reports_by_age ON reports (received);
CREATE INDEX reports_of_subscriber ON reports (account, subscriber);

-- Suppressions of subscribers, who are INACTIVE because of bounces or a complaint.
CREATE TABLE suppressions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account bigint NOT NULL,
    subscriber bigint NOT NULL,
    cause text NOT NULL CHECK (cause IN ('bounces', 'complaint')),
    -- The report that caused it. NULL if an answer of a mail server did.
    report bigint,
    status text,
    reason text,
    -- Whether the subscriber would be active without suppressions.
    was_active boolean NOT NULL,
    created timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When it has ended, and why.
    lifted timestamptz,
    lifted_reason text
);
CREATE INDEX suppressions_of_account ON suppressions (account, id);
CREATE UNIQUE INDEX suppressions_in_force ON suppressions (account, subscriber, cause) WHERE lifted IS NULL;

-- Subscribers about whom something was recorded that may suppress them, until they are judged.
CREATE TABLE suppression_checks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account bigint NOT NULL,
    subscriber bigint NOT NULL
);
CREATE INDEX checks_of_subscriber ON suppression_checks (account, subscriber);

-- Readers who have unsubscribed. A reader is stored as a hash by `outbox.reader_key`, which does not tell the address. So a reader who is
-- erased or created again stays unsubscribed.
CREATE TABLE unsubscribed (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account bigint NOT NULL REFERENCES accounts,
    -- reader_hash of the match key.
    reader bytea NOT NULL,
    -- What they no longer get: one stored email, emails of httpSendMail, or all emails of the account.
    scope text NOT NULL CHECK (scope IN ('mailer', 'httpSendMail', 'account')),
    mailer bigint CHECK ((mailer IS NOT NULL) = (scope = 'mailer')),
    -- The number that the reader had, and the email whose link was followed. No references: both may be deleted.
    subscriber bigint NOT NULL,
    delivery bigint NOT NULL,
    created timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When the operator has lifted it, and why.
    lifted timestamptz,
    lifted_reason text
);
CREATE INDEX unsubscribed_of_account ON unsubscribed (account, id);
CREATE UNIQUE INDEX unsubscribed_in_force ON unsubscribed (account, reader, scope, coalesce(mailer, 0)) WHERE lifted IS NULL;

-- Hits: followed links and loaded images of emails. An email has at most 1,000.
CREATE TABLE hits (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- No reference: the delivery may be deleted while the hit stays.
    delivery bigint NOT NULL,
    -- The link's place among those that are tracked; NULL for the image.
    link bigint,
    -- Why it is thought to be of a person or of a machine. At first only its request counts. When it is decided, its time and the
    -- other hits count as well.
    reason text NOT NULL,
    decided boolean NOT NULL DEFAULT false,
    -- The address and the User-Agent of the reader, for as long as the setting says.
    address text,
    agent text,
    happened timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX hits_of_delivery ON hits (delivery);
CREATE INDEX hits_to_decide ON hits (happened) WHERE NOT decided;
CREATE INDEX hits_of_readers ON hits (happened) WHERE address IS NOT NULL;

-- Endpoints to which an account's events are posted.
CREATE TABLE webhooks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account bigint NOT NULL REFERENCES accounts,
    url text NOT NULL,
    -- The kinds of events that are posted, separated by commas. NULL for all.
    kinds text,
    -- The secret that signs, and the previous one, which signs as well until it is retired. Both are sealed by the key file.
    secret bytea NOT NULL,
    secret_before bytea,
    -- All events up to this number have been posted, or are in webhook_retries.
    position bigint NOT NULL,
    -- Whether no event was accepted in the previous round. Then one event at a time is tried.
    failing boolean NOT NULL DEFAULT false,
    -- When an event was last accepted.
    succeeded timestamptz,
    -- Why it is disabled. NULL if it is not.
    disabled text,
    -- Until when a process holds it.
    leased timestamptz NOT NULL DEFAULT '-infinity',
    created timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX webhooks_of_account ON webhooks (account);

-- Events that an endpoint has not accepted, until they are accepted or given up.
CREATE TABLE webhook_retries (
    webhook bigint NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    number bigint NOT NULL,
    attempts integer NOT NULL,
    first timestamptz NOT NULL DEFAULT clock_timestamp(),
    due timestamptz NOT NULL,
    PRIMARY KEY (webhook, number)
);
CREATE INDEX webhook_retries_due ON webhook_retries (webhook, due);

-- The last attempts of each webhook.
CREATE TABLE webhook_attempts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    webhook bigint NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    number bigint NOT NULL,
    -- From 1.
    attempt integer NOT NULL,
    -- The HTTP status, if there was one.
    status integer,
    -- Why the event was not accepted. NULL if it was.
    problem text,
    milliseconds bigint NOT NULL,
    happened timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX attempts_of_webhook ON webhook_attempts (webhook, id);

-- Calls that are kept to be explained. The setting `transcripts` says which calls are kept.
CREATE TABLE transcripts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- It has no reference, so that an account can be deleted before its calls are.
    account bigint NOT NULL,
    -- Its transactionId; NULL for a call that was refused.
    call bigint,
    operation text NOT NULL,
    code bigint NOT NULL,
    rule text,
    -- The place in the body, as a JSON Pointer. Names that the interface does not have are masked.
    pointer text,
    -- The length of the body.
    bytes bigint NOT NULL,
    milliseconds bigint NOT NULL,
    -- The address of the client, and the id of its request.
    peer text NOT NULL,
    request text NOT NULL,
    -- The transcript, sealed by the key file. NULL if the body is too long, or the account has used up its bytes of the day.
    sealed bytea,
    received timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX transcripts_by_age ON transcripts (received, id);
CREATE INDEX transcripts_of_call ON transcripts (call) WHERE call IS NOT NULL;
CREATE INDEX transcripts_of_request ON transcripts (request);
CREATE INDEX transcripts_refused ON transcripts (id) WHERE call IS NULL;
CREATE INDEX transcripts_refused_of_account ON transcripts (account, id) WHERE call IS NULL;
CREATE INDEX transcripts_refused_by_rule ON transcripts (rule, id) WHERE call IS NULL;
CREATE INDEX transcripts_refused_of_account_by_rule ON transcripts (account, rule, id) WHERE call IS NULL;

-- The number of decided calls of each day.
CREATE TABLE call_counts (
    -- Days since 1970, in UTC.
    day bigint NOT NULL,
    -- 0 for calls without an account. They are counted by the address of the client.
    account bigint NOT NULL,
    operation text NOT NULL,
    code bigint NOT NULL,
    -- Empty for accepted calls.
    rule text NOT NULL,
    -- Empty for calls with an account.
    peer text NOT NULL,
    calls bigint NOT NULL,
    PRIMARY KEY (day, account, operation, code, rule, peer)
);
CREATE INDEX call_counts_of_account ON call_counts (account, day);
CREATE INDEX call_counts_of_rule ON call_counts (rule, day);

-- The same counts for all accounts together.
CREATE TABLE call_totals (
    day bigint NOT NULL,
    operation text NOT NULL,
    code bigint NOT NULL,
    -- Empty for accepted calls.
    rule text NOT NULL,
    calls bigint NOT NULL,
    PRIMARY KEY (day, operation, code, rule)
);

-- Failed attempts to send an email that was tried again later, with the answer of the mail server. The last attempt of an email
-- is an event.
CREATE TABLE attempts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery bigint NOT NULL REFERENCES deliveries ON DELETE CASCADE,
    reason text NOT NULL,
    happened timestamptz NOT NULL
);
CREATE INDEX attempts_of_delivery ON attempts (delivery);

-- The commands that operators ran. Values that can be personal data are replaced by dots.
CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    operator text NOT NULL,
    action text NOT NULL,
    -- `done` or `failed`. NULL if the command did not end.
    outcome text,
    begun timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Changes of credits by operators. What calls cost is in `calls`.
CREATE TABLE credit_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account bigint NOT NULL REFERENCES accounts,
    subscriber bigint NOT NULL,
    email bigint NOT NULL,
    operator text NOT NULL,
    changed timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX credit_changes_of_account ON credit_changes (account, id);

-- Counts of emails whose deliveries are no longer kept, by the day of their acceptance and the code of what became of them.
CREATE TABLE email_counts (
    -- Days since 1970, in UTC.
    day bigint NOT NULL,
    -- No reference: counts stay when the account is deleted.
    account bigint NOT NULL,
    code bigint NOT NULL,
    emails bigint NOT NULL,
    PRIMARY KEY (day, account, code)
);

-- The cost of calls that are no longer kept.
CREATE TABLE past_debits (
    account bigint NOT NULL PRIMARY KEY REFERENCES accounts,
    subscribers bigint NOT NULL,
    emails bigint NOT NULL
);

-- How far each unfinished import has come. An import that was killed goes on from there.
CREATE TABLE imports (
    -- SHA-256 of what is imported and of the file.
    file bytea NOT NULL PRIMARY KEY,
    -- How many rows are done.
    done bigint NOT NULL,
    -- The length of the file of refused rows.
    refused bigint NOT NULL
);

-- Who may look at the desk.
CREATE TABLE operators (
    name text NOT NULL PRIMARY KEY,
    -- The hash of the password by argon2id, as a PHC string.
    hash text NOT NULL,
    -- Whether personal data may be shown to them unmasked.
    unmask boolean NOT NULL,
    -- Whether they may change something.
    act boolean NOT NULL,
    created timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Operators who have logged in, until they log out or their time is over.
CREATE TABLE operator_sessions (
    -- SHA-256 of the cookie's token.
    token bytea NOT NULL PRIMARY KEY,
    operator text NOT NULL REFERENCES operators ON DELETE CASCADE,
    created timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Forms of the desk that were carried out, by their random numbers. A form that is sent twice is carried out once.
CREATE TABLE operator_forms (
    form bytea NOT NULL PRIMARY KEY,
    carried_out timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The server plans statements and checks of foreign keys by the number of rows that ANALYZE has found. If a table has a few
-- rows, a scan of the table, or an index scan by the account alone, costs no more than the right index. The plan is kept for
-- the connection, and still used when the table is a thousand times as large. Therefore autovacuum analyzes these tables only
-- after 10,000 changes. Until then the planner assumes a larger table, for which only the right index is cheap.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY[
        'accounts', 'credits', 'mailers', 'lists', 'subscribers', 'subscriber_fields', 'list_members', 'contents', 'calls',
        'messages', 'left_out', 'deliveries', 'queue', 'idempotency', 'events', 'reports', 'suppressions', 'unsubscribed',
        'hits', 'attempts', 'transcripts'
    ] LOOP
        EXECUTE format('ALTER TABLE %I SET (autovacuum_analyze_threshold = 10000)', name);
    END LOOP;
END $$;
