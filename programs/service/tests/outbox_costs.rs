//! The costs of a delivery: statements, syncs, memory. SQLite's counter and the memory belong to the process, so what is
//! counted runs in a process of its own.
//!
//! With `--ignored`, the tests with a million waiting emails are run, and the rate of sending is printed.

use std::path::Path;
use std::sync::Arc;
// clock: printed, not judged
use std::time::{Duration, Instant};

use franking_service::mail::{Composer, MailSettings};
use franking_service::outbox::Limits;
use franking_service::store::postgres::Postgres;
use franking_service::store::sqlite::{Sqlite, groups, statements};
use franking_service::store::{Ask, Store};

use crate::databases::{SERVER, connect, runtime};
use crate::shop::{ASK, QUEUE, Shop, copies, until, wait};
use crate::sink::{Does, Sink, work};
use crate::support::strace::{between, has_strace, number_after, syncs};

/// Sends this number of emails to several domains, with the default limits.
async fn send(store: &Arc<dyn Store>, count: usize) {
    let shop = Shop::open(store, "a").await;
    for part in 0..count / 100 {
        shop.send_many(100, &format!("d{part}.example")).await;
    }
}

/// A connection beside that of the store, which can keep it from settling.
enum Other {
    Sqlite(rusqlite::Connection),
    Postgres(tokio_postgres::Client),
}

impl Other {
    async fn lock(&self) {
        self.run(
            "BEGIN IMMEDIATE",
            "BEGIN; LOCK TABLE deliveries IN SHARE MODE",
        )
        .await;
    }

    async fn unlock(&self) {
        self.run("COMMIT", "COMMIT").await;
    }

    async fn run(&self, sqlite: &str, postgres: &str) {
        match self {
            Self::Sqlite(own) => own.execute_batch(sqlite).unwrap(),
            Self::Postgres(own) => own.batch_execute(postgres).await.unwrap(),
        }
    }

    async fn settled(&self) -> usize {
        let sql = "SELECT count(*) FROM deliveries WHERE state = 'delivered'";
        let count: i64 = match self {
            Self::Sqlite(own) => own.query_row(sql, (), |row| row.get(0)).unwrap(),
            Self::Postgres(own) => own.query_one(sql, &[]).await.unwrap().get(0),
        };
        count.try_into().unwrap()
    }
}

/// Delivers all of `count` waiting emails. They are settled only when many of them have ended: otherwise the scheduler of a
/// busy machine decides how many wait together. Meanwhile `other` holds a lock.
async fn deliver_together(store: &Arc<dyn Store>, other: &Other, count: usize) {
    other.lock().await;
    let sink = Sink::new(|_, _| Does::Deliver);
    let limits = Limits::default();
    // The most deliveries that the worker holds are a batch minus twice the number of emails that are sent at once. It
    // claims more deliveries when it holds at most half of them. So half of them can be sent without settling any.
    let half = (usize::from(limits.batch) - 2 * limits.sends) / 2;
    let (worker, _) = work(store, &sink, limits);
    loop {
        let before = other.settled().await;
        let together = count.min(before + half);
        sent(&sink, together).await;
        other.unlock().await;
        // The last ones may have been settled before the lock was taken.
        let mut tries = 0;
        while other.settled().await == before && before < count {
            tries += 1;
            assert!(tries < 6000, "nothing is settled");
            // clock: how long that takes does not matter
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        if sink.count() == count {
            break;
        }
        other.lock().await;
    }
    worker.end().await;
    until(store, (0, count as u64, 0)).await;
}

fn beside(folder: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(folder.join("franking.db")).unwrap()
}

/// Waits until the sink has received `count` emails, but for about two seconds at most: the worker may have to settle before
/// it goes on. If it could not write for longer than the database waits for a lock, it would pause.
async fn sent(sink: &Sink, count: usize) {
    let mut tries = 0;
    while sink.count() < count && tries < 200 {
        // clock: on a slow machine fewer deliveries are settled together, and the bounds of the tests allow for that
        tokio::time::sleep(Duration::from_millis(10)).await;
        tries += 1;
    }
}

#[test]
fn on_sqlite_many_deliveries_share_their_statements() {
    crate::support::alone("outbox_costs::counts_the_statements_of_2000");
}

#[test]
#[ignore = "run by the test above, in a process of its own"]
fn counts_the_statements_of_2000() {
    let folder = tempfile::tempdir().unwrap();
    let (statements, groups) = runtime().block_on(async {
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).unwrap());
        send(&store, 2000).await;
        let other = Other::Sqlite(beside(folder.path()));
        let before = (statements(), groups());
        deliver_together(&store, &other, 2000).await;
        (statements() - before.0, groups() - before.1)
    });
    println!("SQLite: {statements} statements and {groups} transactions for 2000 deliveries");
    assert!(statements <= 16 * groups, "{statements} {groups}");
    assert!(statements < 1000, "{statements}");
}

const BEGINS: &str = "2000 deliveries begin";
const ENDED: &str = "2000 deliveries ended in groups: ";

#[test]
#[ignore = "run by the test below, which looks at its system calls"]
fn delivers_2000() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).unwrap());
        send(&store, 2000).await;
        let other = Other::Sqlite(beside(folder.path()));
        let before = groups();
        println!("{BEGINS}");
        deliver_together(&store, &other, 2000).await;
        println!("{ENDED}{}", groups() - before);
    });
}

#[test]
fn on_sqlite_many_deliveries_share_a_sync() {
    if !has_strace() {
        return;
    }
    let calls = "pwrite64,fsync,fdatasync";
    let (printed, trace) = between("outbox_costs::delivers_2000", calls, BEGINS, ENDED);
    let (groups, syncs) = (number_after(&printed, ENDED), syncs(&trace));
    let each = syncs as f64 / 2000.0;
    println!("SQLite: {each:.3} syncs a delivery");
    // Each transaction syncs once. When the log begins anew, its head is synced as well.
    assert!(syncs >= groups, "{syncs} {groups}");
    assert!(each < 0.25, "{each}");
}

#[test]
fn on_postgres_many_deliveries_share_their_statements_and_commits() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.database().await;
        let plain: Arc<dyn Store> = Arc::new(Postgres::open(&address, 4).await.unwrap());
        send(&plain, 2000).await;
        let client = connect(&address).await;
        for setting in ["log_line_prefix = '%d '", "log_statement = 'all'"] {
            let sql = format!("ALTER SYSTEM SET {setting}");
            client.batch_execute(&sql).await.unwrap();
        }
        client
            .batch_execute("SELECT pg_reload_conf()")
            .await
            .unwrap();
        let store: Arc<dyn Store> = Arc::new(Postgres::open(&address, 4).await.unwrap());
        // What this connection does is not counted.
        client
            .batch_execute("SET log_statement = 'none'")
            .await
            .unwrap();
        let other = Other::Postgres(client);
        let database = address.rsplit('=').next().unwrap();
        let count = |what: &[&str]| {
            let log = server.log();
            let is_one = |line: &&str| {
                let line = line.strip_prefix(database).unwrap_or_default();
                what.iter().any(|what| line.starts_with(what))
            };
            log.lines().filter(is_one).count()
        };
        let all = [" LOG:  statement:", " LOG:  execute "];
        // A single statement is a transaction of its own.
        let commits = [" LOG:  statement: COMMIT", " LOG:  execute s"];
        let before = (count(&all), count(&commits));
        deliver_together(&store, &other, 2000).await;
        let each = |found: usize, before: usize| (found - before) as f64 / 2000.0;
        let (statements, commits) = (each(count(&all), before.0), each(count(&commits), before.1));
        println!("PostgreSQL: {statements:.3} statements a delivery, at most {commits:.3} commits");
        assert!(
            statements < 0.25 && commits < 0.25,
            "{statements} {commits}"
        );
    });
}

/// The number of waiting emails.
const MILLION: i64 = 1_000_000;

/// The largest number of kilobytes that this process has had since `begin_peak` was called.
fn peak() -> u64 {
    crate::support::memory(std::process::id(), "VmHWM") >> 10
}

fn begin_peak() -> u64 {
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    peak()
}

/// Sends 20,000 of a million waiting emails, and prints the rate. Memory must stay the same.
async fn a_part_of_a_million(store: &Arc<dyn Store>, name: &str) {
    const COUNT: usize = 20_000;
    let before = begin_peak();
    // clock: printed, not judged
    let started = Instant::now();
    let claimed = store
        .claim_batch(
            Ask {
                lease: Duration::ZERO,
                ..ASK
            },
            Vec::new(),
        )
        .await
        .unwrap();
    let claiming = started.elapsed(); // clock: printed, not judged
    assert_eq!(claimed.deliveries.len(), 100);
    let sink = Sink::new(|_, _| Does::Deliver);
    let started = Instant::now(); // clock: printed, not judged
    let (worker, _) = work(store, &sink, Limits::default());
    wait("the emails are not sent", async || sink.count() >= COUNT).await;
    let sent = started.elapsed(); // clock: printed, not judged
    worker.end().await;
    let grown = peak().saturating_sub(before) / 1024;
    let rate = sink.count() as f64 / sent.as_secs_f64();
    println!(
        "{name}: a batch of a million in {claiming:?}, {rate:.0} deliveries a second, {grown} MB more"
    );

    // The same emails are composed one after another, without an outbox.
    let deliveries = claimed.deliveries.into_iter();
    let deliveries: Vec<_> = deliveries.map(|one| one.delivery.unwrap()).collect();
    let composer = Composer::new(&MailSettings::default()).unwrap();
    let started = Instant::now(); // clock: printed, not judged
    for delivery in deliveries.iter().cycle().take(COUNT) {
        composer.compose(delivery).unwrap();
    }
    let composed = started.elapsed(); // clock: printed, not judged
    let rate = COUNT as f64 / composed.as_secs_f64();
    println!("{name}: {rate:.0} a second are composed alone, on one thread");
    // This includes what the sink remembers of 20,000 emails.
    assert!(grown < 96, "{grown} MB");
    println!("cases tried {COUNT}, findings 0");
}

#[test]
#[ignore = "makes a million rows: a part of `make prove`"]
fn memory_is_flat_with_a_million_waiting_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).unwrap());
        Shop::open(&store, "a")
            .await
            .send_many(1, "reader.example")
            .await;
        let connection = rusqlite::Connection::open(folder.path().join("franking.db")).unwrap();
        franking_service::store::sqlite::add_functions(&connection).unwrap();
        connection.execute_batch(&copies(MILLION).0).unwrap();
        connection.execute_batch(QUEUE).unwrap();
        drop(connection);
        a_part_of_a_million(&store, "SQLite").await;
    });
}

#[test]
#[ignore = "makes a million rows: a part of `make prove`"]
fn memory_is_flat_with_a_million_waiting_on_postgres() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.database().await;
        let store: Arc<dyn Store> = Arc::new(Postgres::open(&address, 4).await.unwrap());
        Shop::open(&store, "a")
            .await
            .send_many(1, "reader.example")
            .await;
        let client = connect(&address).await;
        client.batch_execute(&copies(MILLION).1).await.unwrap();
        client.batch_execute(QUEUE).await.unwrap();
        a_part_of_a_million(&store, "PostgreSQL").await;
    });
}
