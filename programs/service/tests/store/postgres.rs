//! Tests for PostgreSQL alone: servers that vanish, and several processes.

use std::sync::Arc;

use franking::Conflict;
use franking_service::store::postgres::{OpenError, Postgres};
use franking_service::store::{
    AccountId, Claim, Committed, IdempotencyKey, KeyHash, Reply, Store, StoreError,
};

use tokio_postgres::Client;

use super::idempotency::record;
use crate::databases::{SERVER, Server, connect, runtime};
use crate::proxy::Proxy;
use crate::shop::wait;
use crate::world::{KEY, account, credits, decide, http_send_mail, send_mailer, to_commit};

pub(super) async fn open(address: &str) -> Arc<dyn Store> {
    Arc::new(Postgres::open(address, 16).await.unwrap())
}

/// A store with an account that has ten credits of each kind, and a client of its database.
pub(super) async fn with_account(server: &Server) -> (Arc<dyn Store>, AccountId, Client) {
    let address = server.migrated().await;
    let store = open(&address).await;
    let id = account(&store, 10, 10).await;
    (store, id, connect(&address).await)
}

#[test]
fn a_database_of_a_later_release_is_refused_and_left_alone() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.database().await;
        drop(open(&address).await);
        let client = connect(&address).await;
        client
            .batch_execute("INSERT INTO schema_version VALUES (1000, 1000)")
            .await
            .unwrap();
        let refused = Postgres::open(&address, 1).await;
        assert!(
            matches!(refused, Err(OpenError::Newer { found: 1000, .. })),
            "{refused:?}"
        );
    });
}

#[test]
fn processes_that_start_at_once_make_one_schema() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.database().await;
        let mut opening = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let address = address.clone();
            opening.spawn(async move { open(&address).await.health().await });
        }
        assert_eq!(opening.join_all().await, vec![Ok(()); 8]);
    });
}

#[test]
fn a_server_that_vanishes_is_given_up_and_the_next_connection_is_used_at_once() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let proxy = Proxy::start(server.folder());
        let [server, proxied] =
            [server.folder(), proxy.folder()].map(|folder| folder.to_str().unwrap());
        let store: Arc<dyn Store> = Arc::new(
            Postgres::open(&address.replace(server, proxied), 4)
                .await
                .unwrap(),
        );
        let id = account(&store, 10, 10).await;
        let mut call = send_mailer("a@reader.example");
        let work = to_commit(&store, &mut call, None).await.unwrap();
        // This opens several connections of the pool.
        drop(store.claim(id, IdempotencyKey::parse("key").unwrap()).await);
        drop(tokio::join!(store.health(), store.health(), store.health()));
        proxy.swallow(true);
        let key = IdempotencyKey::parse("other").unwrap();
        // clock: printed, not judged
        let began = std::time::Instant::now();
        let (committed, healthy, claimed, found) = tokio::join!(
            store.commit(work),
            store.health(),
            store.claim(id, key),
            store.account(KeyHash::of(KEY)),
        );
        // clock: printed, not judged
        println!(
            "answers of a server that has vanished came after {:?}",
            began.elapsed() // clock: printed, not judged
        );
        assert!(
            matches!(
                committed,
                Err(StoreError::Failed(_) | StoreError::Unknown(_))
            ),
            "{committed:?}"
        );
        assert!(healthy.is_err() && claimed.is_err() && found.is_err());
        proxy.swallow(false);
        assert!(
            store.health().await.is_ok(),
            "no connection of before is used"
        );
        assert!(store.account(KeyHash::of(KEY)).await.unwrap().is_some());
        let key = IdempotencyKey::parse("other").unwrap();
        assert!(matches!(
            store.claim(id, key).await.unwrap(),
            Claim::Held(_)
        ));
    });
}

#[test]
fn a_lost_connection_ends_no_store() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let (store, id, client) = with_account(server).await;
        let kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()";
        client.batch_execute(kill).await.unwrap();
        // Each idle connection of the pool may fail once. After that the pool works again.
        let mut failures = 0;
        while store.health().await.is_err() {
            failures += 1;
            assert!(failures < 20);
        }
        assert_eq!(
            decide(store.clone(), send_mailer("a@reader.example")).await,
            200
        );
        assert_eq!(credits(&store, id).await, (9, 9));
    });
}

#[test]
fn of_two_processes_with_one_key_one_carries_its_call_out_and_the_other_learns_its_answer() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let stores = [open(&address).await, open(&address).await];
        let id = account(&stores[0], 10, 10).await;
        let mut works = Vec::new();
        for (number, store) in stores.iter().enumerate() {
            let claim = store.claim(id, IdempotencyKey::parse("one").unwrap());
            let Claim::Held(hold) = claim.await.unwrap() else {
                panic!("a process knows of its own calls alone");
            };
            let mut call = send_mailer(&format!("a{number}@reader.example"));
            let record = record(&hold, &number.to_string());
            works.push(to_commit(store, &mut call, Some(record)).await.unwrap());
        }
        let other = works.pop().unwrap();
        let first = works.pop().unwrap();
        let number = first.id();
        assert_eq!(stores[0].commit(first).await, Ok(Committed::Done));
        let Ok(Committed::Replayed(kept)) = stores[1].commit(other).await else {
            panic!("two calls were carried out under one key");
        };
        assert_eq!((kept.call, kept.answer.as_str()), (number, "0"));
        assert_eq!(credits(&stores[0], id).await, (9, 9));
    });
}

/// The sessions of the database that wait for a lock.
const WAITING: &str = "SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'";

/// Waits until a session waits for a lock.
pub(super) async fn until_one_waits(client: &Client) {
    wait("no session waits for a lock", async || {
        // Within a transaction, the server repeats the statistics that it has shown before.
        let forget = client.batch_execute("SELECT pg_stat_clear_snapshot()");
        forget.await.unwrap();
        !client.query(WAITING, &[]).await.unwrap().is_empty()
    })
    .await;
}

#[test]
fn operators_who_read_leave_connections_for_what_is_sent() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let (store, id, client) = with_account(server).await;
        let lock = "BEGIN; LOCK TABLE senders IN ACCESS EXCLUSIVE MODE";
        client.batch_execute(lock).await.unwrap();
        let _reads: Vec<_> = (0..64).map(|_| store.senders(id)).collect();
        until_one_waits(&client).await;
        store.health().await.unwrap();
        client
            .batch_execute("SELECT pg_stat_clear_snapshot()")
            .await
            .unwrap();
        let waiting = client.query(WAITING, &[]).await.unwrap().len();
        assert!(waiting <= 4, "{waiting}");
    });
}

#[test]
fn a_plan_that_has_waited_for_its_account_is_judged_by_what_was_changed_meanwhile() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let (store, id, client) = with_account(server).await;
        for (change, conflict) in [
            ("UPDATE credits SET emails = 0", Conflict::EmailCredit),
            (
                "SELECT FROM credits FOR NO KEY UPDATE; UPDATE accounts SET blocked = true",
                Conflict::Other,
            ),
        ] {
            let mut call = send_mailer("a@reader.example");
            client
                .batch_execute(
                    "UPDATE credits SET emails = 10; UPDATE accounts SET blocked = false",
                )
                .await
                .unwrap();
            let work = to_commit(&store, &mut call, None).await.unwrap();
            client
                .batch_execute(&format!("BEGIN; {change}"))
                .await
                .unwrap();
            let commit = tokio::spawn(store.commit(work));
            until_one_waits(&client).await;
            client.batch_execute("COMMIT").await.unwrap();
            let refused = commit.await.unwrap();
            assert_eq!(refused, Err(StoreError::Conflict(conflict)), "{change}");
        }
        assert!(store.calls(id).await.unwrap().is_empty());
    });
}

type Change = fn(&dyn Store, AccountId) -> Reply<()>;

#[test]
fn a_state_and_credits_are_changed_when_the_plan_that_is_judged_by_them_has_ended() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let (store, id, client) = with_account(server).await;
        let changes: [Change; 2] = [
            |store, id| store.set_state(id, Some(true), None, None),
            |store, id| store.add_credits(id, -1, -1, "operator".to_owned()),
        ];
        for change in changes {
            client
                .batch_execute("BEGIN; SELECT FROM credits FOR NO KEY UPDATE")
                .await
                .unwrap();
            let change = tokio::spawn(change(&*store, id));
            until_one_waits(&client).await;
            client.batch_execute("COMMIT").await.unwrap();
            change.await.unwrap().unwrap();
        }
        let accounts = store.accounts().await.unwrap();
        assert!(accounts[0].account.blocked);
        assert_eq!(credits(&store, id).await, (9, 9));
    });
}

#[test]
fn a_call_does_not_write_the_row_of_its_account_that_others_refer_to() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let (store, id, client) = with_account(server).await;
        let place = || async {
            let row = client.query_one("SELECT ctid::text FROM accounts", &[]);
            row.await.unwrap().get::<_, String>(0)
        };
        let before = place().await;
        let call = send_mailer("a@reader.example");
        assert_eq!(decide(store.clone(), call).await, 200);
        assert_eq!(credits(&store, id).await, (9, 9));
        assert_eq!(place().await, before);
    });
}

#[test]
fn three_processes_create_one_subscriber_and_spend_the_last_credits_once() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let stores = [
            open(&address).await,
            open(&address).await,
            open(&address).await,
        ];
        let id = account(&stores[0], 100, 20).await;
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..48 {
            let store = stores[number % 3].clone();
            let to = ["a@reader.example".to_owned(), "b@reader.example".to_owned()];
            tasks.spawn(async move {
                match number % 2 {
                    0 => decide(store, send_mailer("a@reader.example")).await,
                    _ => decide(store, http_send_mail(&to)).await,
                }
            });
        }
        let codes = tasks.join_all().await;
        assert!(
            codes.iter().all(|code| [200, 445].contains(code)),
            "{codes:?}"
        );
        let (subscribers, emails) = credits(&stores[0], id).await;
        let calls = stores[0].calls(id).await.unwrap();
        let sum = |of: fn(&franking_service::store::CallRow) -> u64| {
            calls.iter().map(|(_, row)| of(row)).sum::<u64>()
        };
        assert_eq!(
            codes.iter().filter(|code| **code == 200).count(),
            calls.len()
        );
        assert_eq!(sum(|row| row.emails), (20 - emails).unsigned_abs());
        assert_eq!(sum(|row| row.deliveries), sum(|row| row.emails));
        assert_eq!(
            sum(|row| row.subscribers),
            (100 - subscribers).unsigned_abs()
        );
        assert!(sum(|row| row.subscribers) <= 2);
        assert!(emails >= 0);
    });
}
