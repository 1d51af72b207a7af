#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]
use franking::{Debit, Operation};

use super::*;
use crate::store::holds::Holds;
use crate::store::idempotency::{IdempotencyKey, Record};
use crate::store::identity::CallId;
use crate::store::postgres::run_on;

/// A plan of account 1 that does nothing.
fn plan(id: u64, record: Option<Record>) -> Work {
    Work {
        account: AccountId(1),
        id: CallId(id),
        operation: Operation::SendMailer,
        debit: Debit::default(),
        lists: Vec::new(),
        create: Vec::new(),
        existing: Vec::new(),
        enlists: false,
        update: None,
        contents: BTreeMap::new(),
        messages: Vec::new(),
        deliveries: Vec::new(),
        mailer_revision: None,
        left_out: Vec::new(),
        record,
    }
}

#[tokio::test]
async fn a_panic_of_a_queues_task_is_reported_as_what_only_a_restart_mends() {
    // Nothing listens there.
    let server = Server::at("host=/nowhere user=franking", None).unwrap();
    let (pool, broken) = (server.pool(1).unwrap(), Broken::default());
    let commits = GroupCommit::start(&server, pool, Signals::default(), &broken).unwrap();
    // The task releases the key when it reports that the database cannot be reached.
    let key = IdempotencyKey::parse("key").unwrap();
    let hold = Holds::default().hold(AccountId(1), &key, |_, _| panic!("of this test"));
    let record = Record {
        hold: Arc::new(hold.unwrap()),
        digest: [0; 32],
        answer: String::new(),
    };
    let told = commits.commit(plan(1, Some(record))).await;
    assert!(matches!(told, Err(StoreError::Unknown(_))), "{told:?}");
    assert!(broken.reported().await.to_string().contains("panic"));
    // What comes later is told at once.
    let told = commits.commit(plan(2, None)).await;
    assert!(matches!(told, Err(StoreError::Failed(_))), "{told:?}");
}

#[tokio::test]
async fn a_large_plan_whose_caller_has_hung_up_gives_its_turn_to_the_next_one() {
    // Nothing is asked of this server.
    let server = Server::at("host=/nowhere user=franking", None).unwrap();
    let (pool, broken) = (server.pool(1).unwrap(), Broken::default());
    let commits = GroupCommit::start(&server, pool.clone(), Signals::default(), &broken).unwrap();
    // A large plan that ends as soon as it has its turn.
    let plan = || -> Answer<()> {
        let begins = commits.begin_large(AccountId(1));
        run_on(&pool, move |_| async move { begins.await.map(drop) })
    };
    let first = commits.begin_large(AccountId(1)).await.unwrap();
    let (second, third) = (plan(), plan());
    drop(second);
    drop(first);
    third.await.unwrap();
}
