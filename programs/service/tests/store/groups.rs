//! Plans that wait together are written together, on both databases. Each ends as if it had been alone.

use std::sync::Arc;

use franking::{Conflict, Operation};
use franking_service::store::sqlite::Sqlite;
use franking_service::store::{
    AccountId, Claim, Committed, IdempotencyKey, Store, StoreError, Work,
};
use rusqlite::Connection;
use serde_json::json;
use tokio_postgres::Client;

use super::held_rows::{HOLD, emails_in_order, others};
use super::idempotency::record;
use super::postgres::open;
use crate::databases::{SERVER, Server, connect, runtime};
use crate::world::{
    account, call, credits, decide, http_send_mail, send_mailer, stored, subscriber, to_commit,
};

/// A store, and a connection of the test's own to its database.
struct Watched {
    store: Arc<dyn Store>,
    own: Own,
}

enum Own {
    Sqlite(Connection),
    Postgres(Client),
}

impl Watched {
    async fn run(&self, sql: &str) {
        match &self.own {
            Own::Sqlite(connection) => connection.execute_batch(sql).unwrap(),
            Own::Postgres(client) => client.batch_execute(sql).await.unwrap(),
        }
    }

    /// Runs this statement in a transaction. Commits plans that wait together until that transaction has ended.
    async fn commit(&self, sql: &str, works: Vec<Work>) -> Vec<Result<Committed, StoreError>> {
        let begin = match &self.own {
            Own::Sqlite(_) => "BEGIN IMMEDIATE",
            Own::Postgres(_) => "BEGIN; SELECT FROM credits FOR NO KEY UPDATE",
        };
        self.run(begin).await;
        self.run(sql).await;
        let commits: Vec<_> = works
            .into_iter()
            .map(|work| self.store.commit(work))
            .collect();
        self.run("COMMIT").await;
        let mut answers = Vec::new();
        for commit in commits {
            answers.push(commit.await);
        }
        answers
    }
}

/// Runs a test on both databases.
fn on_each(test: impl AsyncFn(Watched)) {
    runtime().block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).unwrap());
        let own = Connection::open(folder.path().join("franking.db")).unwrap();
        let own = Own::Sqlite(own);
        test(Watched { store, own }).await;
        if let Some(server) = &*SERVER {
            let address = server.migrated().await;
            let store = open(&address).await;
            let own = Own::Postgres(connect(&address).await);
            test(Watched { store, own }).await;
        }
    });
}

pub(super) async fn plan(store: &Arc<dyn Store>, to: &str) -> Work {
    to_commit(store, &mut send_mailer(to), None).await.unwrap()
}

/// A plan of this number of emails, each to a new subscriber.
pub(super) async fn large_plan(store: &Arc<dyn Store>, emails: usize) -> Work {
    let to: Vec<String> = (0..emails)
        .map(|n| format!("r{n}@d{emails}.example"))
        .collect();
    let work = to_commit(store, &mut http_send_mail(&to), None)
        .await
        .unwrap();
    assert!(work.is_large());
    work
}

async fn plan_with_key(store: &Arc<dyn Store>, id: AccountId, to: [&str; 2]) -> [Work; 2] {
    let key = IdempotencyKey::parse("one").unwrap();
    let Claim::Held(hold) = store.claim(id, key).await.unwrap() else {
        panic!("the key is used")
    };
    let make = async |to: &str| {
        let record = record(&hold, to);
        to_commit(store, &mut send_mailer(to), Some(record))
            .await
            .unwrap()
    };
    [make(to[0]).await, make(to[1]).await]
}

pub(super) const DONE: Result<Committed, StoreError> = Ok(Committed::Done);

const fn conflict(conflict: Conflict) -> Result<Committed, StoreError> {
    Err(StoreError::Conflict(conflict))
}

#[test]
fn each_plan_of_a_group_sees_what_those_before_it_have_done() {
    on_each(async |at| {
        let store = &at.store;
        let id = account(store, 10, 5).await;
        subscriber(store, id, "known@reader.example").await;
        let [keyed, repeated] =
            plan_with_key(store, id, ["b@reader.example", "c@reader.example"]).await;
        let call = keyed.id();
        let works = vec![
            plan(store, "first@reader.example").await,
            plan(store, "a@reader.example").await,
            plan(store, "a@reader.example").await,
            keyed,
            repeated,
            plan(store, "known@reader.example").await,
            plan(store, "known@reader.example").await,
            plan(store, "last@reader.example").await,
        ];
        let answers = at.commit("SELECT 1", works).await;
        let Ok(Committed::Replayed(kept)) = &answers[4] else {
            panic!("{answers:?}")
        };
        assert_eq!(
            (kept.call, kept.answer.as_str()),
            (call, "b@reader.example")
        );
        let others = [0, 1, 2, 3, 5, 6, 7].map(|place: usize| answers[place].clone());
        let (exists, credit) = (Conflict::SubscriberExists, Conflict::EmailCredit);
        let expected = [
            DONE,
            DONE,
            conflict(exists),
            DONE,
            DONE,
            DONE,
            conflict(credit),
        ];
        assert_eq!(others, expected);
        assert_eq!(credits(store, id).await, (7, 0));
        assert_eq!(store.calls(id).await.unwrap().len(), 5);
    });
}

#[test]
fn a_plan_that_the_database_refuses_fails_alone() {
    on_each(async |at| {
        let store = &at.store;
        let id = account(store, 100, 100).await;
        // There can be one subscriber with such a name.
        let index = "CREATE UNIQUE INDEX one ON subscribers (account) WHERE match_key > 'bad' AND match_key < 'bae'";
        at.run(index).await;
        subscriber(store, id, "bad@reader.example").await;
        let mut works = Vec::new();
        for number in 0..20 {
            let name = if number % 7 == 3 { "bad" } else { "good" };
            works.push(plan(store, &format!("{name}{number}@reader.example")).await);
        }
        let ids: Vec<_> = works.iter().map(Work::id).collect();
        let answers = at.commit("SELECT 1", works).await;
        for (number, (answer, call)) in answers.iter().zip(ids).enumerate() {
            let expected = if number % 7 == 3 {
                conflict(Conflict::Other)
            } else {
                DONE
            };
            assert_eq!(*answer, expected, "{number}");
            let row = stored(store, id, call).await;
            assert_eq!(
                row.map(|row| row.deliveries),
                (*answer == DONE).then_some(1)
            );
        }
        assert_eq!(credits(store, id).await, (83, 83));
    });
}

#[test]
fn what_was_changed_while_plans_waited_is_a_conflict_of_those_that_it_concerns() {
    on_each(async |at| {
        let store = &at.store;
        let id = account(store, 100, 100).await;
        store.create_list(id, "Gold".to_owned()).await.unwrap();
        let is_inactive = match at.own {
            Own::Sqlite(_) => "UPDATE subscribers SET inactive = 1",
            Own::Postgres(_) => "UPDATE subscribers SET inactive = true",
        };
        let changes = [
            (
                "UPDATE mailers SET revision = revision + 1",
                [true, true, false],
            ),
            (is_inactive, [false, false, true]),
            (
                "DELETE FROM lists WHERE name = 'Gold'",
                [false, true, false],
            ),
        ];
        for (round, (change, conflicts)) in changes.into_iter().enumerate() {
            let address = |name: &str| format!("{name}{round}@reader.example");
            subscriber(store, id, &address("known")).await;
            let listed = json!({"apiKey": "secret", "mailerID": 42, "email": address("l"), "listName": "Gold"});
            let mut calls = [
                send_mailer(&address("m")),
                call(Operation::SendMailer, &listed),
                http_send_mail(&[address("known")]),
            ];
            let mut works = Vec::new();
            for call in &mut calls {
                works.push(to_commit(store, call, None).await.unwrap());
            }
            let answers = at.commit(change, works).await;
            for (answer, is_conflict) in answers.iter().zip(conflicts) {
                assert_eq!(*answer != DONE, is_conflict, "{change}: {answers:?}");
            }
        }
    });
}

#[test]
fn an_operators_change_among_plans_is_before_or_after_each_of_them() {
    on_each(async |at| {
        let store = &at.store;
        let id = account(store, 100, 10).await;
        let mut works = Vec::new();
        for number in 0..16 {
            works.push(plan(store, &format!("r{number}@reader.example")).await);
        }
        let later = works.split_off(8);
        let earlier: Vec<_> = works.into_iter().map(|work| store.commit(work)).collect();
        let change = store.add_credits(id, 0, -6, "tests".into());
        let later: Vec<_> = later.into_iter().map(|work| store.commit(work)).collect();
        let mut done = 0;
        for commit in earlier.into_iter().chain(later) {
            match commit.await {
                Ok(Committed::Done) => done += 1,
                refused => assert_eq!(refused, conflict(Conflict::EmailCredit)),
            }
        }
        change.await.unwrap();
        // The operator takes six of the ten credits, or what is left of them.
        assert!((4..=10).contains(&done), "{done}");
        assert_eq!(store.calls(id).await.unwrap().len() as i64, done);
        assert_eq!(credits(store, id).await, (100 - done, 0));
        assert_eq!(
            decide(store.clone(), send_mailer("r0@reader.example")).await,
            445
        );
    });
}

/// A store with an account, a client of its database, and two large plans and a small one of the account.
async fn two_large_and_a_small(server: &Server) -> (Arc<dyn Store>, AccountId, Client, [Work; 3]) {
    let address = server.migrated().await;
    let store = open(&address).await;
    let id = account(&store, 10_000, 10_000).await;
    let plans = [
        large_plan(&store, 3_000).await,
        large_plan(&store, 2_000).await,
        plan(&store, "small@reader.example").await,
    ];
    (store, id, connect(&address).await, plans)
}

#[test]
fn small_plans_beside_large_ones_of_their_account_have_their_turn_and_keep_no_other_account_waiting()
 {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let (store, id, own, plans) = two_large_and_a_small(server).await;
        let others = others(&store).await;
        // The first large plan waits for as long as this holds the row of its account.
        own.batch_execute(HOLD).await.unwrap();
        let commits = plans.map(|work| store.commit(work));
        for shop in &others {
            shop.send_mailer(42, "ada@reader.example").await;
        }
        own.batch_execute("COMMIT").await.unwrap();
        for commit in commits {
            assert_eq!(commit.await, DONE);
        }
        assert_eq!(credits(&store, id).await.1, 10_000 - 5_001);
        // The small plan does not wait for all large ones.
        assert_eq!(emails_in_order(&own).await, [3_000, 1, 2_000]);
    });
}

#[test]
fn what_waits_for_a_large_plan_of_its_account_fails_with_it_when_the_database_fails() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let (store, id, own, plans) = two_large_and_a_small(server).await;
        own.batch_execute("BEGIN; SELECT FROM credits FOR NO KEY UPDATE")
            .await
            .unwrap();
        let [first, second, small] = plans.map(|work| store.commit(work));
        // The database does not give the lock in time.
        assert!(matches!(first.await, Err(StoreError::Failed(_))));
        own.batch_execute("COMMIT").await.unwrap();
        assert!(matches!(second.await, Err(StoreError::Failed(_))));
        assert!(matches!(small.await, Err(StoreError::Failed(_))));
        // Nothing prevents the next ones.
        let [large, small] = [
            large_plan(&store, 2_001).await,
            plan(&store, "small@reader.example").await,
        ]
        .map(|work| store.commit(work));
        assert_eq!((large.await, small.await), (DONE, DONE));
        assert_eq!(credits(&store, id).await.1, 10_000 - 2_002);
    });
}
