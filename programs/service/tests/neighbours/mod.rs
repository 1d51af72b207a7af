//! Two accounts: one of them does its worst, while the other one calls and sends as if it were alone.

pub(crate) mod client;
pub(crate) mod relay;
pub(crate) mod worst;

use std::sync::Arc;
// clock: how long the relay takes for a command, a part of each case.
use std::time::Duration;

use franking::Account;
use franking_service::mail::Template;
use franking_service::store::{Address, KeyHash, NewMailer, Which};

use crate::support::database::Database;
use crate::support::{self, runtime};
use client::Seen;
use relay::Relay;
use worst::{Size, Worst};

/// What the steady account has seen, and the most memory that the service had.
pub(crate) struct Measured {
    pub seen: Seen,
    /// In bytes.
    pub memory: u64,
}

/// Adds the steady account, and the senders of the other one.
pub(crate) fn prepare(database: &Database) {
    runtime().block_on(async {
        let store = database.store().await;
        let address = |text: &str| Address::parse(text).unwrap();
        let accounts = store.accounts().await.unwrap();
        for from in ["bad@shop.example", "stuck@shop.example"] {
            let put = store.put_sender(accounts[0].id, address(from), true);
            put.await.unwrap();
        }
        let account = store.create_account("b".into(), Account::default(), "tests".into());
        let account = account.await.unwrap();
        store
            .add_key(account, KeyHash::of(client::KEY), None)
            .await
            .unwrap();
        let from = address("news@b.example");
        store.put_sender(account, from.clone(), true).await.unwrap();
        let mailer = NewMailer {
            unsubscribe: None,
            id: Some(42),
            from,
            from_name: None,
            template: Template::parse("Hello".into(), "<p>Hello".into(), None).unwrap(),
        };
        store.put_mailer(account, mailer).await.unwrap();
    });
}

/// Makes this number of emails of the first account due: copies of one of its own, to 97 domains.
fn crowd(database: &Database, count: usize) {
    let insert = |numbers: &str| {
        format!(
            "INSERT INTO deliveries (call, account, message, subscriber, to_address)
             SELECT call, account, message, subscriber, 'r' || i || '@d' || (i % 97) || '.example'
             FROM {numbers}
             CROSS JOIN (SELECT * FROM deliveries WHERE account = 1 ORDER BY id LIMIT 1) d"
        )
    };
    let of_sqlite = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) {}",
        insert("n")
    );
    let of_postgres = insert(&format!("generate_series(1, {count}) i"));
    assert_eq!(database.execute(&of_sqlite, &of_postgres), count as u64);
    let queue = "INSERT INTO queue (delivery, account, traffic_class)
        SELECT id, account, 1 FROM deliveries
        WHERE state = 'queued' AND id NOT IN (SELECT delivery FROM queue)";
    database.execute(queue, queue);
}

/// Lets one account do its worst while the other one sends this number of calls.
pub(crate) fn measure(database: &Database, worst: Worst, size: Size, calls: usize) -> Measured {
    let runtime = runtime();
    // The emails of an earlier case would still be sent.
    runtime.block_on(async { database.store().await.cancel(Which::All).await.unwrap() });
    if worst == Worst::ManyDue {
        crowd(database, size.due);
    }
    // clock: how long the relay takes for a command
    let relay = Arc::new(runtime.block_on(Relay::start(Duration::from_millis(1))));
    let port = relay.port.to_string();
    let held = (size.body + (size.body >> 1)).max(48 << 20).to_string();
    let connections = size.idle.max(4).to_string();
    let flags = [
        ["--transport", "smtp"],
        ["--smtp-host", "127.0.0.1"],
        ["--smtp-tls", "none"],
        ["--smtp-port", &port],
        ["--max-held-bytes", &held],
        ["--max-connections", &connections],
    ];
    let service = database.serve_by(support::quiet(), &flags.concat());
    // The account that does its worst would be on another machine. Here its client has threads of its own, with a lower
    // priority than the threads that measure.
    let elsewhere = tokio::runtime::Builder::new_multi_thread()
        .on_thread_start(|| {
            rustix::process::nice(10).unwrap();
        })
        .enable_all()
        .build()
        .unwrap();
    let harm = elsewhere.block_on(worst::begin(worst, size, service.address, &relay));
    let seen = runtime.block_on(client::call_steadily(service.address, &relay, calls));
    drop(harm);
    Measured {
        seen,
        memory: support::memory(service.process.id(), "VmHWM"),
    }
}

/// A row of the table, which compares with the same account alone.
pub(crate) fn row(worst: Worst, measured: &Measured, alone: &Seen) -> String {
    let part = |times: &[Duration], alone: &[Duration]| {
        [50, 99].map(|part| {
            let time = Seen::within(times, part).as_secs_f64() * 1000.0;
            let ratio = time / (Seen::within(alone, part).as_secs_f64() * 1000.0);
            format!("{time:>8.1} ({ratio:>4.1})")
        })
    };
    let seen = &measured.seen;
    let [call, slow_call] = part(&seen.calls, &alone.calls);
    let [email, slow_email] = part(&seen.emails, &alone.emails);
    format!(
        "| {:<20} | {call} | {slow_call} | {email} | {slow_email} | {:>6} | {:>6} | {:>6} |",
        worst.name(),
        seen.others,
        seen.refused.len(),
        measured.memory >> 20,
    )
}

/// The table's head.
pub(crate) const HEAD: &str = "| the other one has    | calls p50 (ratio) | p99 | emails p50 | p99, in milliseconds | others | not 200 | MB |";
