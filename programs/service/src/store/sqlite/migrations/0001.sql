-- Times are seconds since 1970.

CREATE TABLE accounts (
    -- The number of a deleted account is not given to another one, because its counts stay.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    blocked INTEGER NOT NULL,
    expired INTEGER NOT NULL,
    deactivated INTEGER NOT NULL,
    -- Whether emails of httpSendMail have the service's own List-Unsubscribe.
    http_unsubscribe INTEGER NOT NULL DEFAULT 0,
    -- Whether the operator has paused sending its emails.
    paused INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

-- What an account may still create and send, and the id of its next subscriber. Calls change both, so that they are in one page
-- of the file.
CREATE TABLE credits (
    account INTEGER PRIMARY KEY REFERENCES accounts,
    -- NULL is no limit.
    subscribers INTEGER CHECK (subscribers >= 0),
    emails INTEGER CHECK (emails >= 0),
    next_subscriber INTEGER NOT NULL DEFAULT 1
) STRICT;

-- Live keys only: a revoked key is deleted.
CREATE TABLE keys (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts,
    hash BLOB NOT NULL UNIQUE,
    -- For people.
    label TEXT,
    -- When it was last used, to within a minute.
    used INTEGER,
    created INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
CREATE INDEX keys_of_account ON keys (account);

CREATE TABLE senders (
    account INTEGER NOT NULL REFERENCES accounts,
    match_key TEXT NOT NULL,
    address TEXT NOT NULL,
    active INTEGER NOT NULL,
    PRIMARY KEY (account, match_key)
) STRICT, WITHOUT ROWID;

-- HTML texts, each once under its SHA-256.
CREATE TABLE contents (
    hash BLOB PRIMARY KEY,
    html BLOB NOT NULL
) STRICT;

CREATE TABLE mailers (
    account INTEGER NOT NULL REFERENCES accounts,
    id INTEGER NOT NULL,
    from_address TEXT NOT NULL,
    from_name TEXT,
    subject TEXT NOT NULL,
    content BLOB NOT NULL REFERENCES contents,
    -- A template of an https: or mailto: URL.
    list_unsubscribe TEXT,
    -- The emails that a reader unsubscribes from by the service's own List-Unsubscribe. NULL if the emails do not have it.
    unsubscribe TEXT CHECK (unsubscribe IN ('mailer', 'account')),
    -- The names of the fields with which the subject, the HTML and the URL are filled in, as JSON.
    names TEXT NOT NULL,
    -- A number that changes with each change.
    revision INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mailers_of_content ON mailers (content);

CREATE TABLE lists (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts,
    name TEXT NOT NULL,
    UNIQUE (account, name)
) STRICT;

CREATE TABLE subscribers (
    account INTEGER NOT NULL REFERENCES accounts,
    id INTEGER NOT NULL,
    match_key TEXT NOT NULL,
    email TEXT NOT NULL,
    inactive INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL DEFAULT (unixepoch()),
    PRIMARY KEY (account, id),
    UNIQUE (account, match_key)
) STRICT, WITHOUT ROWID;

-- Personalization by the interface's names. An empty value means that the field was cleared.
CREATE TABLE subscriber_fields (
    account INTEGER NOT NULL,
    subscriber INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (account, subscriber, name),
    FOREIGN KEY (account, subscriber) REFERENCES subscribers ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE list_members (
    list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE,
    account INTEGER NOT NULL,
    subscriber INTEGER NOT NULL,
    PRIMARY KEY (list, subscriber),
    FOREIGN KEY (account, subscriber) REFERENCES subscribers ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX lists_of_subscriber ON list_members (account, subscriber);

-- The roles are bits: 1 sender, 2 reply address, 4 recipient, 8 content.
CREATE TABLE blacklist (
    domain TEXT PRIMARY KEY,
    roles INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- An accepted call, under the transactionId that it was answered with.
CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts,
    operation TEXT NOT NULL,
    emails INTEGER NOT NULL,
    subscribers INTEGER NOT NULL,
    created INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
CREATE INDEX calls_of_account ON calls (account, created);

CREATE TABLE messages (
    call INTEGER NOT NULL REFERENCES calls ON DELETE CASCADE,
    position INTEGER NOT NULL,
    -- The place in `requests`; NULL on sendMailer.
    request INTEGER,
    mailer INTEGER,
    subject TEXT NOT NULL,
    -- NULL when its retention is over.
    content BLOB REFERENCES contents,
    from_address TEXT NOT NULL,
    from_name TEXT,
    reply_to TEXT,
    -- That of the stored email at acceptance.
    list_unsubscribe TEXT,
    -- The emails that a reader unsubscribes from by the service's own List-Unsubscribe. NULL if the email was accepted without it.
    unsubscribe TEXT CHECK (unsubscribe IN ('mailer', 'httpSendMail', 'account')),
    custom_field TEXT,
    track_opens INTEGER NOT NULL,
    track_clicks INTEGER NOT NULL,
    PRIMARY KEY (call, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_of_content ON messages (content);
-- The messages that are emptied when their time is over.
CREATE INDEX messages_with_content ON messages (call, position) WHERE content IS NOT NULL;

-- The requests and recipients that a partial batch has left out, each with the rule that it broke and its place in the body.
CREATE TABLE left_out (
    call INTEGER NOT NULL REFERENCES calls ON DELETE CASCADE,
    position INTEGER NOT NULL,
    -- The place in `requests`.
    request INTEGER,
    -- A JSON Pointer, and the bytes of the body from `start` up to `stop`.
    pointer TEXT,
    start INTEGER,
    stop INTEGER,
    rule TEXT NOT NULL,
    PRIMARY KEY (call, position)
) STRICT, WITHOUT ROWID;

-- The record of one email to one recipient. It is written when the email is accepted and when an attempt to send it has ended.
CREATE TABLE deliveries (
    -- The number of a deleted email is not given to another one, because events and links that were sent name it.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    call INTEGER NOT NULL,
    message INTEGER NOT NULL,
    -- The account of its call. The call has the reference to it.
    account INTEGER NOT NULL,
    -- No reference, because a subscriber may be deleted while the record of what was sent stays.
    subscriber INTEGER NOT NULL,
    to_address TEXT NOT NULL,
    role TEXT,
    -- The values that the email is filled in with, as they were at acceptance, as JSON by their names. NULL if nothing is
    -- filled in.
    fields TEXT,
    -- A delivery has a row in `queue` exactly while it is queued.
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'delivered', 'bounced')),
    attempts INTEGER NOT NULL DEFAULT 0,
    -- When it was first tried. The time until it is given up counts from then.
    tried INTEGER,
    cancelled INTEGER NOT NULL DEFAULT 0,
    -- The server's last answer, or why it was cancelled.
    reason TEXT,
    -- Outcomes as bits: 1 bounced, 2 delivered, 4 opened, 8 clicked, 16 complained of.
    events INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL DEFAULT (unixepoch()),
    ended INTEGER,
    FOREIGN KEY (call, message) REFERENCES messages ON DELETE CASCADE
) STRICT;
CREATE INDEX deliveries_of_message ON deliveries (call, message);
-- For an operator's questions about a reader.
CREATE INDEX deliveries_of_subscriber ON deliveries (account, subscriber, id);
CREATE INDEX deliveries_bounced ON deliveries (account, created, id) WHERE state = 'bounced';

-- When each queued email is sent next. A row is added and removed in the transaction that changes the state of its delivery. Nobody has to
-- read both tables: `deliveries` tells whether an email has ended, and this table which emails wait. Claims are not stored: only the
-- process that serves the file knows them.
CREATE TABLE queue (
    delivery INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    due INTEGER NOT NULL DEFAULT (unixepoch()),
    -- 0 for an email of sendMailer, 1 for one of httpSendMail. Claims take from both classes of an account, so that neither waits for the
    -- other to be empty.
    traffic_class INTEGER NOT NULL
) STRICT;
CREATE INDEX queue_by_time ON queue (account, traffic_class, due, delivery);

CREATE TABLE idempotency (
    account INTEGER NOT NULL REFERENCES accounts,
    key TEXT NOT NULL,
    call INTEGER NOT NULL,
    -- SHA-256 of the operation and the body.
    digest BLOB NOT NULL,
    answer TEXT NOT NULL,
    created INTEGER NOT NULL DEFAULT (unixepoch()),
    PRIMARY KEY (account, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency (created);

-- The large plans that are being written. Their rows are in the next table. A plan is accepted if its call is in `calls`.
CREATE TABLE large_plans (
    call INTEGER PRIMARY KEY,
    account INTEGER NOT NULL
) STRICT;

-- The rows of large plans that are not in their tables yet, in the order in which they are written there.
CREATE TABLE large_plan_parts (
    id INTEGER PRIMARY KEY,
    call INTEGER NOT NULL REFERENCES large_plans,
    table_name TEXT NOT NULL,
    -- As JSON.
    rows TEXT NOT NULL
) STRICT;
CREATE INDEX parts_of_large_plan ON large_plan_parts (call);

CREATE TABLE outbox (
    -- Whether the operator has paused all sending.
    paused INTEGER NOT NULL,
    -- The key of Message-IDs.
    secret BLOB NOT NULL,
    -- The key of the hashes of readers who have unsubscribed.
    reader_key BLOB NOT NULL
) STRICT;
INSERT INTO outbox VALUES (0, randomblob(32), randomblob(32));

-- What became of emails and of their readers. One transaction writes at a time, so numbers are in the order of commits, and no
-- event is ever added before a number that a reader has seen.
CREATE TABLE events (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    -- No references: what an event is about may be deleted while the event stays.
    account INTEGER NOT NULL,
    -- NULL for an event about the account alone.
    subscriber INTEGER,
    -- NULL for an event about a subscriber or the account alone.
    delivery INTEGER,
    kind TEXT NOT NULL,
    -- The enhanced status code (RFC 3463), if there is one.
    status TEXT,
    reason TEXT,
    -- The report that says so. NULL if the service has seen it itself.
    report INTEGER,
    happened INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
CREATE INDEX events_of_subscriber ON events (account, subscriber);
CREATE INDEX events_of_account ON events (account, number);

-- The number up to which events were deleted when their time was over.
CREATE TABLE event_numbers (
    gone INTEGER NOT NULL
) STRICT;
INSERT INTO event_numbers VALUES (0);

-- Events by the day on which they happened. They are counted once, when they are added. The counts stay when events are deleted.
CREATE TABLE event_counts (
    -- Days since 1970, in UTC.
    day INTEGER NOT NULL,
    -- No reference: counts stay when the account is deleted.
    account INTEGER NOT NULL,
    kind TEXT NOT NULL,
    events INTEGER NOT NULL,
    PRIMARY KEY (account, day, kind)
) STRICT, WITHOUT ROWID;
-- The same counts for all accounts together.
CREATE TABLE event_totals (
    day INTEGER NOT NULL,
    kind TEXT NOT NULL,
    events INTEGER NOT NULL,
    PRIMARY KEY (day, kind)
) STRICT, WITHOUT ROWID;

-- Reports that came in, with what was read from each. No address, subject or text of an email is kept.
CREATE TABLE reports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- SHA-256 of the message. A message that is handed over twice is one report.
    digest BLOB NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    -- The enhanced status code (RFC 3463), if there is one.
    status TEXT,
    reason TEXT,
    -- By what the email was found. NULL if none was found.
    matched TEXT,
    -- No references: what a report is about may be deleted while the report stays.
    account INTEGER,
    subscriber INTEGER,
    delivery INTEGER,
    received INTEGER NOT NULL DEFAULT (unixepoch()),
    -- When the operator has undone it, and why.
    undone INTEGER,
    undone_reason TEXT
) STRICT;
CREATE INDEX reports_of_delivery ON reports (delivery) WHERE delivery IS NOT NULL;
CREATE INDEX reports_by_age ON reports (received);
CREATE INDEX reports_of_subscriber ON reports (account, subscriber);

-- Suppressions of subscribers, who are INACTIVE because of bounces or a complaint.
CREATE TABLE suppressions (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    subscriber INTEGER NOT NULL,
    cause TEXT NOT NULL CHECK (cause IN ('bounces', 'complaint')),
    -- The report that caused it. NULL if an answer of a mail server did.
    report INTEGER,
    status TEXT,
    reason TEXT,
    -- Whether the subscriber would be active without suppressions.
    was_active INTEGER NOT NULL,
    created INTEGER NOT NULL DEFAULT (unixepoch()),
    -- When it has ended, and why.
    lifted INTEGER,
    lifted_reason TEXT
) STRICT;
CREATE INDEX suppressions_of_account ON suppressions (account, id);
CREATE UNIQUE INDEX suppressions_in_force ON suppressions (account, subscriber, cause) WHERE lifted IS NULL;

-- Subscribers about whom something was recorded that may suppress them, until they are judged.
CREATE TABLE suppression_checks (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    subscriber INTEGER NOT NULL
) STRICT;
CREATE INDEX checks_of_subscriber ON suppression_checks (account, subscriber);

-- Readers who have unsubscribed. A reader is stored as a hash by `outbox.reader_key`, which does not tell the address. So a reader who is
-- erased or created again stays unsubscribed.
CREATE TABLE unsubscribed (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts,
    -- reader_hash of the match key.
    reader BLOB NOT NULL,
    -- What they no longer get: one stored email, emails of httpSendMail, or all emails of the account.
    scope TEXT NOT NULL CHECK (scope IN ('mailer', 'httpSendMail', 'account')),
    mailer INTEGER CHECK ((mailer IS NOT NULL) = (scope = 'mailer')),
    -- The number that the reader had, and the email whose link was followed. No references: both may be deleted.
    subscriber INTEGER NOT NULL,
    delivery INTEGER NOT NULL,
    created INTEGER NOT NULL DEFAULT (unixepoch()),
    -- When the operator has lifted it, and why.
    lifted INTEGER,
    lifted_reason TEXT
) STRICT;
CREATE INDEX unsubscribed_of_account ON unsubscribed (account, id);
CREATE UNIQUE INDEX unsubscribed_in_force ON unsubscribed (account, reader, scope, coalesce(mailer, 0)) WHERE lifted IS NULL;

-- Hits: followed links and loaded images of emails. An email has at most 1,000.
CREATE TABLE hits (
    id INTEGER PRIMARY KEY,
    -- No reference: the delivery may be deleted while the hit stays.
    delivery INTEGER NOT NULL,
    -- The link's place among those that are tracked; NULL for the image.
    link INTEGER,
    -- Why it is thought to be of a person or of a machine. At first only its request counts. When it is decided, its time and the
    -- other hits count as well.
    reason TEXT NOT NULL,
    decided INTEGER NOT NULL DEFAULT 0,
    -- The address and the User-Agent of the reader, for as long as the setting says.
    address TEXT,
    agent TEXT,
    happened INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
CREATE INDEX hits_of_delivery ON hits (delivery);
CREATE INDEX hits_to_decide ON hits (happened) WHERE NOT decided;
CREATE INDEX hits_of_readers ON hits (happened) WHERE address IS NOT NULL;

-- Endpoints to which an account's events are posted.
CREATE TABLE webhooks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES accounts,
    url TEXT NOT NULL,
    -- The kinds of events that are posted, separated by commas. NULL for all.
    kinds TEXT,
    -- The secret that signs, and the previous one, which signs as well until it is retired. Both are sealed by the key file.
    secret BLOB NOT NULL,
    secret_before BLOB,
    -- All events up to this number have been posted, or are in webhook_retries.
    position INTEGER NOT NULL,
    -- Whether no event was accepted in the previous round. Then one event at a time is tried.
    failing INTEGER NOT NULL DEFAULT 0,
    -- When an event was last accepted.
    succeeded INTEGER,
    -- Why it is disabled. NULL if it is not.
    disabled TEXT,
    -- Until when a process holds it.
    leased INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
CREATE INDEX webhooks_of_account ON webhooks (account);

-- Events that an endpoint has not accepted, until they are accepted or given up.
CREATE TABLE webhook_retries (
    webhook INTEGER NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    number INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    first INTEGER NOT NULL DEFAULT (unixepoch()),
    due INTEGER NOT NULL,
    PRIMARY KEY (webhook, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_retries_due ON webhook_retries (webhook, due);

-- The last attempts of each webhook.
CREATE TABLE webhook_attempts (
    id INTEGER PRIMARY KEY,
    webhook INTEGER NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    number INTEGER NOT NULL,
    -- From 1.
    attempt INTEGER NOT NULL,
    -- The HTTP status, if there was one.
    status INTEGER,
    -- Why the event was not accepted. NULL if it was.
    problem TEXT,
    milliseconds INTEGER NOT NULL,
    happened INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
CREATE INDEX attempts_of_webhook ON webhook_attempts (webhook, id);

-- Calls that are kept to be explained. The setting `transcripts` says which calls are kept.
CREATE TABLE transcripts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- It has no reference, so that an account can be deleted before its calls are.
    account INTEGER NOT NULL,
    -- Its transactionId; NULL for a call that was refused.
    call INTEGER,
    operation TEXT NOT NULL,
    code INTEGER NOT NULL,
    rule TEXT,
    -- The place in the body, as a JSON Pointer. Names that the interface does not have are masked.
    pointer TEXT,
    -- The length of the body.
    bytes INTEGER NOT NULL,
    milliseconds INTEGER NOT NULL,
    -- The address of the client, and the id of its request.
    peer TEXT NOT NULL,
    request TEXT NOT NULL,
    -- The transcript, sealed by the key file. NULL if the body is too long, or the account has used up its bytes of the day.
    sealed BLOB,
    received INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
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
    day INTEGER NOT NULL,
    -- 0 for calls without an account. They are counted by the address of the client.
    account INTEGER NOT NULL,
    operation TEXT NOT NULL,
    code INTEGER NOT NULL,
    -- Empty for accepted calls.
    rule TEXT NOT NULL,
    -- Empty for calls with an account.
    peer TEXT NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (day, account, operation, code, rule, peer)
) STRICT, WITHOUT ROWID;
CREATE INDEX call_counts_of_account ON call_counts (account, day);
CREATE INDEX call_counts_of_rule ON call_counts (rule, day);

-- The same counts for all accounts together.
CREATE TABLE call_totals (
    day INTEGER NOT NULL,
    operation TEXT NOT NULL,
    code INTEGER NOT NULL,
    -- Empty for accepted calls.
    rule TEXT NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (day, operation, code, rule)
) STRICT, WITHOUT ROWID;

-- Failed attempts to send an email that was tried again later, with the answer of the mail server. The last attempt of an email
-- is an event.
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    delivery INTEGER NOT NULL REFERENCES deliveries ON DELETE CASCADE,
    reason TEXT NOT NULL,
    happened INTEGER NOT NULL
) STRICT;
CREATE INDEX attempts_of_delivery ON attempts (delivery);

-- The commands that operators ran. Values that can be personal data are replaced by dots.
CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    operator TEXT NOT NULL,
    action TEXT NOT NULL,
    -- `done` or `failed`. NULL if the command did not end.
    outcome TEXT,
    begun INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

-- Changes of credits by operators. What calls cost is in `calls`.
CREATE TABLE credit_changes (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts,
    subscriber INTEGER NOT NULL,
    email INTEGER NOT NULL,
    operator TEXT NOT NULL,
    changed INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
CREATE INDEX credit_changes_of_account ON credit_changes (account, id);

-- Counts of emails whose deliveries are no longer kept, by the day of their acceptance and the code of what became of them.
CREATE TABLE email_counts (
    -- Days since 1970, in UTC.
    day INTEGER NOT NULL,
    -- No reference: counts stay when the account is deleted.
    account INTEGER NOT NULL,
    code INTEGER NOT NULL,
    emails INTEGER NOT NULL,
    PRIMARY KEY (day, account, code)
) STRICT, WITHOUT ROWID;

-- The cost of calls that are no longer kept.
CREATE TABLE past_debits (
    account INTEGER NOT NULL PRIMARY KEY REFERENCES accounts,
    subscribers INTEGER NOT NULL,
    emails INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How far each unfinished import has come. An import that was killed goes on from there.
CREATE TABLE imports (
    -- SHA-256 of what is imported and of the file.
    file BLOB NOT NULL PRIMARY KEY,
    -- How many rows are done.
    done INTEGER NOT NULL,
    -- The length of the file of refused rows.
    refused INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Who may look at the desk.
CREATE TABLE operators (
    name TEXT NOT NULL PRIMARY KEY,
    -- The hash of the password by argon2id, as a PHC string.
    hash TEXT NOT NULL,
    -- Whether personal data may be shown to them unmasked.
    unmask INTEGER NOT NULL,
    -- Whether they may change something.
    act INTEGER NOT NULL,
    created INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT, WITHOUT ROWID;

-- Operators who have logged in, until they log out or their time is over.
CREATE TABLE operator_sessions (
    -- SHA-256 of the cookie's token.
    token BLOB NOT NULL PRIMARY KEY,
    operator TEXT NOT NULL REFERENCES operators ON DELETE CASCADE,
    created INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT, WITHOUT ROWID;

-- Forms of the desk that were carried out, by their random numbers. A form that is sent twice is carried out once.
CREATE TABLE operator_forms (
    form BLOB NOT NULL PRIMARY KEY,
    carried_out INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT, WITHOUT ROWID;
