//! Large plans: written part by part on SQLite, in slices on PostgreSQL, and at the same time as others on both.

use std::path::Path;
use std::sync::Arc;

use franking_service::store::sqlite::Sqlite;
use franking_service::store::{Committed, KeyHash, Store, StoreError};
use rusqlite::Connection;
use tokio::task::JoinSet;

use crate::databases::on_both;
use crate::databases::runtime;
use crate::world::{account, credits, decide, http_send_mail, send_mailer, stored, to_commit};

fn addresses(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("r{n}@reader.example")).collect()
}

on_both! {
    async fn a_large_call_is_whole_when_it_is_answered(store: Store) {
        let id = account(&store, 10_000, 10_000).await;
        let work = to_commit(&store, &mut http_send_mail(&addresses(3_000)), None).await.unwrap();
        assert!(work.is_large());
        let call = work.id();
        assert_eq!(store.commit(work).await, Ok(Committed::Done));
        let row = stored(&store, id, call).await.unwrap();
        assert_eq!((row.emails, row.subscribers, row.messages, row.deliveries), (3_000, 3_000, 1, 3_000));
        assert_eq!(credits(&store, id).await, (7_000, 7_000));
        assert_eq!(store.lists(id).await.unwrap(), [("API_EMAILS".to_owned(), 3_000)]);
        // The same call again creates no subscriber twice.
        assert_eq!(decide(store.clone(), http_send_mail(&addresses(3_001))).await, 200);
        assert_eq!(credits(&store, id).await, (6_999, 3_999));
        assert_eq!(store.lists(id).await.unwrap(), [("API_EMAILS".to_owned(), 3_001)]);
    }

    async fn calls_beside_large_ones_of_their_account_end_as_if_each_had_been_alone(store: Store) {
        let id = account(&store, 10_000, 100_000).await;
        let mut tasks = JoinSet::new();
        for number in 0..4 {
            let mut all = addresses(2_000);
            all.rotate_left(number * 500);
            tasks.spawn(decide(store.clone(), http_send_mail(&all)));
        }
        for number in 0..40 {
            tasks.spawn(decide(store.clone(), send_mailer(&format!("r{}@reader.example", number * 60))));
        }
        let codes = tasks.join_all().await;
        assert!(codes.iter().all(|code| *code == 200), "{codes:?}");
        // Six of the forty calls go to addresses that are not among the 2,000.
        assert_eq!(credits(&store, id).await, (10_000 - 2_006, 100_000 - 8_040));
        let calls = store.calls(id).await.unwrap();
        assert_eq!(calls.len(), 44);
        assert!(calls.iter().all(|(_, row)| row.deliveries == row.emails));
    }

    async fn a_large_call_that_does_not_fit_any_more_leaves_nothing(store: Store) {
        let id = account(&store, 10_000, 10_000).await;
        let make = || http_send_mail(&addresses(2_000));
        let work = to_commit(&store, &mut make(), None).await.unwrap();
        store.add_credits(id, -9_000, 0, "tests".into()).await.unwrap();
        let refused = store.commit(work).await;
        assert_eq!(refused, Err(StoreError::Conflict(franking::Conflict::SubscriberCredit)));
        store.add_credits(id, 9_000, 0, "tests".into()).await.unwrap();
        let work = to_commit(&store, &mut make(), None).await.unwrap();
        assert_eq!(decide(store.clone(), send_mailer("r1500@reader.example")).await, 200);
        let refused = store.commit(work).await;
        assert_eq!(refused, Err(StoreError::Conflict(franking::Conflict::SubscriberExists)));
        assert_eq!(credits(&store, id).await, (9_999, 9_999));
        assert_eq!(store.calls(id).await.unwrap().len(), 1);
        // Nothing prevents the next call.
        assert_eq!(decide(store.clone(), make()).await, 200);
        assert_eq!(credits(&store, id).await, (8_000, 7_999));
    }

    async fn while_a_large_call_is_carried_out_another_account_is_served(store: Store) {
        let large = account(&store, 100_000, 100_000).await;
        let other = franking::Account { email_credit: Some(0), ..franking::Account::default() };
        let other = store.create_account("Other".to_owned(), other, "tests".into()).await.unwrap();
        let work = to_commit(&store, &mut http_send_mail(&addresses(20_000)), None).await.unwrap();
        let number = work.id();
        let carried_out = tokio::spawn(store.commit(work));
        let mut served = 0;
        while !carried_out.is_finished() {
            store.add_credits(other, 0, 1, "tests".into()).await.unwrap();
            assert!(store.account(KeyHash::of("none")).await.unwrap().is_none());
            served += 1;
        }
        assert_eq!(carried_out.await.unwrap(), Ok(Committed::Done));
        println!("{served} changes of another account were committed beside 20,000 recipients");
        assert!(served >= 10, "{served}");
        assert_eq!(stored(&store, large, number).await.unwrap().deliveries, 20_000);
    }
}

fn count(connection: &Connection, sql: &str) -> i64 {
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Ends the work on a large call when `is_there` holds in the database, and opens the database again.
fn left_when(is_there: impl Fn(&Connection) -> bool, after: impl Fn(&Connection)) {
    let folder = tempfile::tempdir().unwrap();
    let open = |folder: &Path| -> Arc<dyn Store> { Arc::new(Sqlite::open(folder).unwrap()) };
    let runs = runtime();
    let store = open(folder.path());
    let (id, commit) = runs.block_on(async {
        let id = account(&store, 100_000, 100_000).await;
        let work = to_commit(&store, &mut http_send_mail(&addresses(20_000)), None).await;
        (id, runs.spawn(store.commit(work.unwrap())))
    });
    let other = Connection::open(folder.path().join("franking.db")).unwrap();
    // This connection gets its turn between two parts. It never pauses, so it misses no gap between them.
    other.pragma_update(None, "busy_timeout", 0).unwrap();
    loop {
        if other.execute_batch("BEGIN IMMEDIATE").is_err() {
            continue;
        }
        if is_there(&other) {
            break;
        }
        other.execute_batch("ROLLBACK").unwrap();
        assert!(!commit.is_finished(), "it was over");
    }
    // The part that waits for the lock is the last one that is written.
    runs.shutdown_background();
    other.execute_batch("ROLLBACK").unwrap();
    other.pragma_update(None, "busy_timeout", 60_000).unwrap();
    drop(store);
    assert!(
        count(&other, "SELECT count(*) FROM large_plan_parts") > 0,
        "it was whole"
    );
    runtime().block_on(async {
        let store = open(folder.path());
        assert_eq!(count(&other, "SELECT count(*) FROM large_plan_parts"), 0);
        assert_eq!(count(&other, "SELECT count(*) FROM large_plans"), 0);
        after(&other);
        let before = credits(&store, id).await;
        assert_eq!(
            decide(store.clone(), http_send_mail(&addresses(20_000))).await,
            200
        );
        let (_, emails) = credits(&store, id).await;
        assert_eq!(before.1 - emails, 20_000);
        assert_eq!(count(&other, "SELECT count(*) FROM subscribers"), 20_000);
    });
}

#[test]
fn what_a_process_leaves_of_a_large_call_that_was_not_accepted_is_taken_back() {
    let calls = "SELECT count(*) FROM calls";
    left_when(
        |other| {
            count(other, "SELECT count(*) FROM large_plan_parts") > 3 && count(other, calls) == 0
        },
        |other| {
            for table in [
                "calls",
                "subscribers",
                "deliveries",
                "messages",
                "list_members",
            ] {
                assert_eq!(
                    count(other, &format!("SELECT count(*) FROM {table}")),
                    0,
                    "{table}"
                );
            }
            assert_eq!(count(other, "SELECT emails FROM credits"), 100_000);
        },
    );
}

#[test]
fn what_a_process_leaves_of_a_large_call_that_was_accepted_is_completed() {
    let calls = "SELECT count(*) FROM calls";
    left_when(
        |other| {
            count(other, "SELECT count(*) FROM large_plan_parts") > 3 && count(other, calls) == 1
        },
        |other| {
            for table in ["subscribers", "deliveries", "list_members"] {
                assert_eq!(
                    count(other, &format!("SELECT count(*) FROM {table}")),
                    20_000,
                    "{table}"
                );
            }
            assert_eq!(count(other, "SELECT count(*) FROM messages"), 1);
            assert_eq!(count(other, "SELECT emails FROM credits"), 80_000);
            assert_eq!(
                count(other, "SELECT count(DISTINCT to_address) FROM deliveries"),
                20_000
            );
        },
    );
}
