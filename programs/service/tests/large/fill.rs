//! Makes a large database: 100 accounts, one subscriber for every five emails, calls of five emails each, and an event for
//! each email.
//!
//! The database itself makes the rows, without checking references: a million emails take seconds.

use crate::support::database::Database;
use crate::support::{databases, runtime};

/// The number of different contents of emails.
const CONTENTS: u64 = 5_000;

/// The number of emails: LARGE, or a small number.
pub(super) fn emails() -> u64 {
    std::env::var("LARGE").map_or(20_000, |count| count.parse().unwrap())
}

/// Fills the database of a world while no program runs. Of a thousand emails, ten have bounced and one waits until tomorrow.
pub(super) fn fill(database: &Database, emails: u64) {
    let (readers, calls) = (emails / 5 / 100 * 100, emails / 5);
    match database.address() {
        None => on_sqlite(database, readers, calls),
        Some(address) => on_postgres(address, readers, calls),
    }
}

fn on_sqlite(database: &Database, readers: u64, calls: u64) {
    let connection = rusqlite::Connection::open(database.data().join("franking.db")).unwrap();
    let numbers = |most: u64| {
        format!(
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {most})"
        )
    };
    let (to_hundred, to_readers) = (numbers(100), numbers(readers));
    let (to_calls, to_emails) = (numbers(calls), numbers(calls * 5));
    let to_contents = numbers(CONTENTS);
    let reader = reader(readers);
    connection
        .execute_batch(&format!(
            "PRAGMA foreign_keys = off; PRAGMA synchronous = off; PRAGMA temp_store = memory; BEGIN;
             {to_hundred} INSERT INTO accounts (name, blocked, expired, deactivated)
                SELECT 'Account ' || n, 0, 0, 0 FROM numbers WHERE n > 1;
             INSERT INTO credits (account) SELECT id FROM accounts WHERE id > 1;
             {to_readers} INSERT INTO subscribers (account, id, match_key, email)
                SELECT 1 + n % 100, n + 1000, 'r' || n || '@d' || (n % 1000) || '.example', 'r' || n || '@d' || (n % 1000) || '.example'
                FROM numbers;
             {to_contents} INSERT INTO contents (hash, html) SELECT randomblob(32), CAST('<p>Hello' AS BLOB) FROM numbers;
             UPDATE credits SET next_subscriber = {readers} + 2000;
             {to_calls} INSERT INTO calls (id, account, operation, emails, subscribers, created)
                SELECT n, 1 + n % 100, 'httpSendMail', 5, 0, unixepoch() - ({calls} - n) FROM numbers;
             {to_calls} INSERT INTO messages (call, position, request, subject, content, from_address, track_opens, track_clicks)
                SELECT n, 0, 0, 'Subject', (SELECT hash FROM contents LIMIT 1), 'news@shop.example', 0, 0 FROM numbers;
             {to_emails} INSERT INTO deliveries (id, call, message, account, subscriber, to_address, role, state, attempts, reason, events, ended)
                SELECT
                    n, (n + 4) / 5, 0, 1 + (n + 4) / 5 % 100, {reader} + 1000, 'r' || {reader} || '@d' || ({reader} % 1000) || '.example', 'to',
                    CASE WHEN n % 1000 = 0 THEN 'queued' WHEN n % 100 = 1 THEN 'bounced' ELSE 'delivered' END,
                    1, '250 2.0.0 ok', 2, iif(n % 1000 = 0, NULL, unixepoch())
                FROM numbers;
             INSERT INTO queue (delivery, account, traffic_class, due)
                SELECT id, account, 1, unixepoch() + 86400 FROM deliveries WHERE state = 'queued';
             INSERT INTO events (account, subscriber, delivery, kind, reason, happened)
                SELECT account, subscriber, id, state, reason, ended FROM deliveries WHERE ended IS NOT NULL ORDER BY id;
             {to_calls} INSERT INTO transcripts (account, operation, code, rule, bytes, milliseconds, peer, request, sealed, received)
                SELECT 1 + n % 100, 'httpSendMail', 412, 'rule-' || (n % 20), 500, 1, '192.0.2.1', 'request-' || n, randomblob(800),
                    unixepoch() - ({calls} - n)
                FROM numbers WHERE n % 10 = 0;
             INSERT INTO attempts (delivery, reason, happened)
                SELECT id, '451 4.2.0 later', 0 FROM deliveries WHERE id % 100 = 0;
             INSERT INTO hits (delivery, reason, decided, happened)
                SELECT id, 'person', 1, ended FROM deliveries WHERE id % 10 = 1;
             INSERT INTO reports (digest, kind, account, subscriber, delivery)
                SELECT randomblob(32), 'failure', account, subscriber, id FROM deliveries WHERE id % 100 = 1;
             {to_calls} INSERT INTO audit (operator, action, outcome) SELECT 'user 0', 'queue pause', 'done' FROM numbers;
             {to_hundred} INSERT INTO call_counts (day, account, operation, code, rule, peer, calls)
                SELECT unixepoch() / 86400 - d.n, a.n, 'httpSendMail', 412, 'rule-' || r.n, '', 10
                FROM numbers a, numbers d, numbers r WHERE d.n <= 30 AND r.n <= 20;
             {to_hundred} INSERT INTO event_counts (day, account, kind, events)
                SELECT unixepoch() / 86400 - d.n, a.n, k.value, 10
                FROM numbers a, numbers d, json_each('[\"delivered\", \"bounced\", \"opened\", \"clicked\"]') k WHERE d.n <= 30;
             INSERT INTO call_totals (day, operation, code, rule, calls)
                SELECT day, operation, code, rule, sum(calls) FROM call_counts GROUP BY day, operation, code, rule;
             INSERT INTO event_totals (day, kind, events) SELECT day, kind, sum(events) FROM event_counts GROUP BY day, kind;
             INSERT INTO suppressions (account, subscriber, cause, was_active)
                SELECT account, id, 'bounces', 1 FROM subscribers WHERE id % 10 = 0;
             INSERT INTO unsubscribed (account, reader, scope, subscriber, delivery)
                SELECT account, randomblob(32), 'account', id, 1 FROM subscribers WHERE id % 10 = 0;
             {to_readers} INSERT INTO blacklist (domain, roles) SELECT 'd' || n || '.listed.example', 8 FROM numbers;
             COMMIT; ANALYZE;"
        ))
        .unwrap();
}

fn on_postgres(address: &str, readers: u64, calls: u64) {
    let emails = calls * 5;
    let reader = reader(readers);
    let statements = format!(
        "SET session_replication_role = replica; SET synchronous_commit = off;
         INSERT INTO accounts (name, blocked, expired, deactivated)
            SELECT 'Account ' || n, false, false, false FROM generate_series(2, 100) n;
         INSERT INTO credits (account) SELECT id FROM accounts WHERE id > 1;
         INSERT INTO subscribers (account, id, match_key, email)
            SELECT 1 + n % 100, n + 1000, 'r' || n || '@d' || (n % 1000) || '.example', 'r' || n || '@d' || (n % 1000) || '.example'
            FROM generate_series(1, {readers}::bigint) n;
         INSERT INTO contents (hash, html)
            SELECT sha256(n::text::bytea), '<p>Hello' FROM generate_series(1, {CONTENTS}::bigint) n;
         SELECT setval('subscriber_ids', {readers} + 2000);
         INSERT INTO calls (id, account, operation, emails, subscribers, created)
            SELECT n, 1 + n % 100, 'httpSendMail', 5, 0, clock_timestamp() - make_interval(secs => {calls} - n)
            FROM generate_series(1, {calls}::bigint) n;
         INSERT INTO messages (call, position, request, subject, content, from_address, track_opens, track_clicks)
            SELECT n, 0, 0, 'Subject', (SELECT hash FROM contents LIMIT 1), 'news@shop.example', false, false
            FROM generate_series(1, {calls}::bigint) n;
         INSERT INTO deliveries (call, message, account, subscriber, to_address, role, state, attempts, reason, events, ended)
            SELECT
                (n + 4) / 5, 0, 1 + (n + 4) / 5 % 100, {reader} + 1000, 'r' || {reader} || '@d' || ({reader} % 1000) || '.example', 'to',
                CASE WHEN n % 1000 = 0 THEN 'queued' WHEN n % 100 = 1 THEN 'bounced' ELSE 'delivered' END,
                1, '250 2.0.0 ok', 2, CASE WHEN n % 1000 <> 0 THEN clock_timestamp() END
            FROM generate_series(1, {emails}::bigint) n;
         INSERT INTO queue (delivery, account, traffic_class, due)
            SELECT id, account, 1, clock_timestamp() + interval '1 day' FROM deliveries WHERE state = 'queued';
         INSERT INTO events (number, account, subscriber, delivery, kind, reason, happened)
            SELECT row_number() OVER (ORDER BY id), account, subscriber, id, state, reason, ended
            FROM deliveries WHERE ended IS NOT NULL;
         INSERT INTO transcripts (account, operation, code, rule, bytes, milliseconds, peer, request, sealed, received)
            SELECT 1 + n % 100, 'httpSendMail', 412, 'rule-' || (n % 20), 500, 1, '192.0.2.1', 'request-' || n,
                decode(repeat('5a', 800), 'hex'), clock_timestamp() - make_interval(secs => {calls} - n)
            FROM generate_series(1, {calls}::bigint) n WHERE n % 10 = 0;
         INSERT INTO attempts (delivery, reason, happened)
            SELECT id, '451 4.2.0 later', clock_timestamp() FROM deliveries WHERE id % 100 = 0;
         INSERT INTO hits (delivery, reason, decided, happened)
            SELECT id, 'person', true, ended FROM deliveries WHERE id % 10 = 1;
         INSERT INTO reports (digest, kind, account, subscriber, delivery)
            SELECT sha256(id::text::bytea), 'failure', account, subscriber, id FROM deliveries WHERE id % 100 = 1;
         INSERT INTO audit (operator, action, outcome)
            SELECT 'user 0', 'queue pause', 'done' FROM generate_series(1, {calls}::bigint);
         INSERT INTO call_counts (day, account, operation, code, rule, peer, calls)
            SELECT floor(extract(epoch FROM clock_timestamp()) / 86400)::bigint - d, a, 'httpSendMail', 412, 'rule-' || r, '', 10
            FROM generate_series(1, 100) a, generate_series(1, 30) d, generate_series(1, 20) r;
         INSERT INTO event_counts (day, account, kind, events)
            SELECT floor(extract(epoch FROM clock_timestamp()) / 86400)::bigint - d, a, k, 10
            FROM generate_series(1, 100) a, generate_series(1, 30) d, unnest(ARRAY['delivered', 'bounced', 'opened', 'clicked']) k;
         INSERT INTO call_totals (day, operation, code, rule, calls)
            SELECT day, operation, code, rule, sum(calls) FROM call_counts GROUP BY day, operation, code, rule;
         INSERT INTO event_totals (day, kind, events) SELECT day, kind, sum(events) FROM event_counts GROUP BY day, kind;
         INSERT INTO suppressions (account, subscriber, cause, was_active)
            SELECT account, id, 'bounces', true FROM subscribers WHERE id % 10 = 0;
         INSERT INTO unsubscribed (account, reader, scope, subscriber, delivery)
            SELECT account, sha256(id::text::bytea), 'account', id, 1 FROM subscribers WHERE id % 10 = 0;
         INSERT INTO blacklist (domain, roles) SELECT 'd' || n || '.listed.example', 8 FROM generate_series(1, {readers}::bigint) n;
         UPDATE event_numbers SET last = (SELECT max(number) FROM events);
         VACUUM ANALYZE"
    );
    runtime().block_on(async {
        let client = databases::connect(address).await;
        // VACUUM cannot run in a batch with other statements.
        for statement in statements.split(";\n") {
            client.batch_execute(statement.trim()).await.unwrap();
        }
    });
}

/// The number of the reader of email `n`. The reader belongs to the account of the email.
fn reader(readers: u64) -> String {
    let of_account = readers / 100;
    let account = "((n + 4) / 5 % 100)";
    format!(
        "(n * 7919 % {of_account} * 100 + {account} + CASE WHEN {account} = 0 THEN 100 ELSE 0 END)"
    )
}
