//! 100,000 emails of one account: what they cost other accounts while they wait, and what a claim and a count cost among
//! them.

use std::time::Duration;

use crate::shop::{QUEUE, Shop, copies, wait};
use crate::sink::{Does, Sink, work};
use crate::support::database::{Database, on_both};
use crate::support::{databases, runtime};
use franking_service::outbox::Limits;
use rusqlite::{Params, StatementStatus};
use tokio_postgres::{Client, SimpleQueryMessage};

const CROWD: i64 = 100_000;

/// An account with this number of waiting emails.
fn crowd(database: &Database, count: i64) {
    runtime().block_on(async {
        let store = database.store().await;
        let shop = Shop::open(&store, "crowd").await;
        shop.send_many(1, "reader.example").await;
    });
    add(database, count - 1);
}

fn add(database: &Database, count: i64) {
    let (sqlite, postgres) = copies(count);
    assert_eq!(database.execute(&sqlite, &postgres), count as u64);
    assert_eq!(database.execute(QUEUE, QUEUE), count as u64);
}

on_both! {
    fn a_hundred_thousand_emails_of_one_account_delay_another_single_one_by_less_than_a_batch(database: &Database) {
        crowd(database, CROWD);
        runtime().block_on(async {
            let store = database.store().await;
            let small = Shop::open(&store, "small").await;
            let sink = Sink::slow(Duration::from_millis(1), |_, _| Does::Deliver);
            let limits = Limits::default();
            let (worker, _) = work(&store, &sink, limits.clone());
            for round in 0..5 {
                wait("the emails of the crowd are not sent", async || sink.count() >= round * 1000).await;
                small.send_many(1, &format!("small{round}.example")).await;
                let before = sink.count();
                let own = format!("small{round}.example");
                let place = || sink.attempts().iter().position(|one| one.destination == own);
                wait("the single email is not sent", async || place().is_some()).await;
                let others = place().unwrap().saturating_sub(before);
                println!("{others} others were sent first");
                assert!(others < usize::from(limits.batch), "{others}");
            }
            worker.end().await;
        });
    }

    fn a_claim_costs_the_same_whether_a_thousand_wait_or_a_hundred_thousand(database: &Database) {
        crowd(database, 1_000);
        let cost = |database: &Database| match database.folder() {
            Some(_) => vec![steps(database, CLAIM_SQLITE, (0, 10, "[]", "[]", 1e12), 10)],
            None => runtime().block_on(buffers(database)),
        };
        let few = cost(database);
        add(database, CROWD - 1_000);
        let many = cost(database);
        println!("a claim among 1,000 and among 100,000: {few:?} and {many:?}");
        for (few, many) in few.iter().zip(&many) {
            // Each of the ten emails is found through several indexes, which have one more level.
            assert!(*many <= few * 2, "{few} {many}");
        }
    }

    fn counting_what_waits_costs_the_same_whether_a_thousand_have_ended_or_a_hundred_thousand(database: &Database) {
        let cost = |database: &Database| match database.folder() {
            Some(_) => steps(database, QUEUE_SQLITE, [0, 10_000], 1),
            None => runtime().block_on(async {
                let client = databases::connect(database.flags()[1]).await;
                client.batch_execute("VACUUM ANALYZE queue").await.unwrap();
                // Ended deliveries leave the index when it is cleaned. While the server did other work, VACUUM left empty
                // pages in the index, which are then read. REINDEX leaves none.
                client.batch_execute("REINDEX INDEX queue_by_time").await.unwrap();
                let queue = QUEUE_POSTGRES.replace("$1", "0").replace("$2", "10000");
                pages(&client, &queue, 1.0).await
            }),
        };
        let end = |above: i64| {
            let end = format!("UPDATE deliveries SET state = 'delivered' WHERE id > {above}");
            let leave = format!("DELETE FROM queue WHERE delivery > {above}");
            database.execute(&leave, &leave);
            database.execute(&end, &end)
        };
        if let Some(address) = database.address() {
            runtime().block_on(async {
                let client = databases::connect(address).await;
                databases::without_autovacuum(&client).await;
            });
        }
        crowd(database, 1_000);
        assert_eq!(end(0), 1_000);
        add(database, 10);
        let few = cost(database);
        let last = database.number("SELECT max(id) FROM deliveries");
        add(database, CROWD);
        assert_eq!(end(last), CROWD as u64);
        let many = cost(database);
        println!("a count of 10 beside 1,000 and beside 100,000 that have ended: {few} and {many}");
        // The index is deeper, and some look-ups go through each level.
        assert!(many <= few * 2, "{few} {many}");
    }
}

const QUEUE_SQLITE: &str = concat!(
    include_str!("../src/store/sqlite/sql/queued.sql"),
    include_str!("../src/store/sqlite/sql/queue.sql")
);

const QUEUE_POSTGRES: &str = concat!(
    include_str!("../src/store/postgres/sql/queued.sql"),
    include_str!("../src/store/postgres/sql/queue.sql")
);

const CLAIM_SQLITE: &str = concat!(
    include_str!("../src/store/sqlite/sql/queued.sql"),
    include_str!("../src/store/sqlite/sql/claim.sql")
);

/// The steps of SQLite's machine that a query takes. The query must return this number of rows.
fn steps(database: &Database, query: &str, params: impl Params, count: usize) -> u64 {
    let file = database.folder().unwrap().join("franking.db");
    let connection = rusqlite::Connection::open(file).unwrap();
    franking_service::store::sqlite::add_functions(&connection).unwrap();
    let mut statement = connection.prepare(query).unwrap();
    let mut rows = statement.query(params).unwrap();
    let mut found = 0;
    while rows.next().unwrap().is_some() {
        found += 1;
    }
    assert_eq!(found, count);
    drop(rows);
    statement.get_status(StatementStatus::VmStep) as u64
}

/// The pages that PostgreSQL reads for a claim, with a plan for the given values and with a generic plan.
async fn buffers(database: &Database) -> Vec<u64> {
    const CLAIM: &str = concat!(
        include_str!("../src/store/postgres/sql/queued.sql"),
        include_str!("../src/store/postgres/sql/claim.sql")
    );
    let client = databases::connect(database.flags()[1]).await;
    let mut all = Vec::new();
    for mode in ["force_custom_plan", "force_generic_plan"] {
        // The claim before this one was rolled back. Its rows and the places of them in the index would be read as well.
        for sql in ["VACUUM ANALYZE", "REINDEX TABLE queue"] {
            client.batch_execute(sql).await.unwrap();
        }
        let prepare = format!(
            "BEGIN; SET LOCAL plan_cache_mode = {mode};
             PREPARE claim_batch (bigint, bigint, double precision, bigint[], timestamptz, bigint) AS {CLAIM}"
        );
        client.batch_execute(&prepare).await.unwrap();
        let claim = "EXECUTE claim_batch (0, 10, 600, '{}', 'epoch', NULL)";
        all.push(pages(&client, claim, 10.0).await);
        client
            .batch_execute("ROLLBACK; DEALLOCATE claim_batch")
            .await
            .unwrap();
    }
    all
}

/// The pages that PostgreSQL reads for a statement. The statement must return this number of rows.
async fn pages(client: &Client, statement: &str, count: f64) -> u64 {
    let explain = format!("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}");
    let told = client.simple_query(&explain).await.unwrap();
    let text = told.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    let plan: serde_json::Value = serde_json::from_str(text.unwrap()).unwrap();
    let plan = &plan[0]["Plan"];
    assert_eq!(plan["Actual Rows"].as_f64(), Some(count));
    let pages = ["Shared Hit Blocks", "Shared Read Blocks"];
    pages.map(|name| plan[name].as_u64().unwrap()).iter().sum()
}
