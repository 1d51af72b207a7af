//! The costs of hits: statements, and bytes of the database.

use std::sync::Arc;
// clock: printed, not judged
use std::time::Instant;

use franking_service::outcomes::{HitReason, Tracked};
use franking_service::store::postgres::Postgres;
use franking_service::store::sqlite::{Sqlite, groups, statements};
use franking_service::store::{NewHit, Store};

use crate::databases::{SERVER, connect, runtime};
use crate::mail::support::tried;
use crate::support::cases;

/// The number of hits of each email.
const OF_ONE: u64 = 10;
/// The number of hits at the same time.
const AT_ONCE: u64 = 64;

/// Stores this number of hits, and makes them old enough. Returns the seconds that it took.
async fn keep(store: &Arc<dyn Store>, hits: u64) -> f64 {
    // clock: printed, not judged
    let started = Instant::now();
    let mut readers = tokio::task::JoinSet::new();
    for reader in 0..AT_ONCE {
        let store = Arc::clone(store);
        readers.spawn(async move {
            for number in (reader..hits).step_by(AT_ONCE as usize) {
                let hit = NewHit {
                    tracked: Tracked::Link(number / OF_ONE, number % OF_ONE),
                    reason: HitReason::Nothing,
                    reader: None,
                };
                store.add_hit(hit).await.unwrap();
            }
        });
    }
    while let Some(ended) = readers.join_next().await {
        ended.unwrap();
    }
    // clock: printed, not judged
    started.elapsed().as_secs_f64()
}

/// Decides all hits. Returns their number, and the seconds that it took.
async fn decide(store: &Arc<dyn Store>) -> (u64, f64) {
    // clock: printed, not judged
    let started = Instant::now();
    let mut all = 0;
    loop {
        match store.decide_hits(100).await.unwrap() {
            // clock: printed, not judged
            0 => return (all, started.elapsed().as_secs_f64()),
            some => all += some,
        }
    }
}

#[test]
#[ignore = "a million hits take minutes"]
fn on_sqlite_a_million_hits_are_few_bytes_and_few_statements_each() {
    let hits = cases("HITS", 1_000_000).unsigned_abs();
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).unwrap());
        let open = || rusqlite::Connection::open(folder.path().join("franking.db")).unwrap();
        let number = |sql: &str| open().query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        let size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let (before, ran, committed) = (number(size), statements(), groups());
        let seconds = keep(&store, hits).await;
        let ran = (statements() - ran) as f64 / hits as f64;
        let bytes = (number(size) - before) as f64 / hits as f64;
        println!(
            "SQLite: {hits} hits in {seconds:.1} s, each {ran:.2} statements and {bytes:.0} bytes, in {} commits",
            groups() - committed
        );
        assert_eq!(number("SELECT count(*) FROM hits"), hits.cast_signed());
        assert!(ran < 3.5 && bytes < 150.0, "{ran} {bytes}");
        open().execute("UPDATE hits SET happened = happened - 60", []).unwrap();
        let ran = statements();
        let (decided, seconds) = decide(&store).await;
        let ran = (statements() - ran) as f64 / hits as f64;
        println!("SQLite: decided in {seconds:.1} s, each {ran:.4} statements");
        assert_eq!(decided, hits);
        assert!(ran < 0.1, "{ran}");
    });
    tried(hits as usize);
}

#[test]
#[ignore = "a million hits take minutes"]
fn on_postgres_a_million_hits_are_few_bytes_each() {
    let Some(server) = &*SERVER else { return };
    let hits = cases("HITS", 1_000_000).unsigned_abs();
    runtime().block_on(async {
        let address = server.database().await;
        let store: Arc<dyn Store> = Arc::new(Postgres::open(&address, 16).await.unwrap());
        let client = connect(&address).await;
        let seconds = keep(&store, hits).await;
        let row = client
            .query_one(
                "SELECT pg_total_relation_size('hits'), count(*) FROM hits",
                &[],
            )
            .await
            .unwrap();
        let bytes = row.get::<_, i64>(0) as f64 / hits as f64;
        println!(
            "PostgreSQL: {hits} hits in {seconds:.1} s, each a statement and {bytes:.0} bytes"
        );
        assert_eq!(row.get::<_, i64>(1), hits.cast_signed());
        assert!(bytes < 250.0, "{bytes}");
        client
            .execute(
                "UPDATE hits SET happened = happened - interval '1 minute'",
                &[],
            )
            .await
            .unwrap();
        let (decided, seconds) = decide(&store).await;
        println!("PostgreSQL: decided in {seconds:.1} s");
        assert_eq!(decided, hits);
    });
    tried(hits as usize);
}
