//! Accounts whose rows another transaction holds, on PostgreSQL: a plan of another process, or an operator's command.

use std::sync::Arc;

use franking_service::store::{AccountId, Store, StoreError};
use tokio_postgres::Client;

use super::groups::{DONE, large_plan, plan};
use super::postgres::{open, until_one_waits};
use crate::databases::{SERVER, connect, runtime};
use crate::shop::Shop;
use crate::world::{account, credits};

/// Holds the row of the first account until the transaction ends.
pub(super) const HOLD: &str =
    "BEGIN; SELECT FROM credits ORDER BY account LIMIT 1 FOR NO KEY UPDATE";

/// Two more accounts. There are two queues, and each has one of them.
pub(super) async fn others(store: &Arc<dyn Store>) -> [Shop; 2] {
    [Shop::open(store, "b").await, Shop::open(store, "c").await]
}

#[test]
fn small_plans_beside_a_large_one_of_another_process_wait_for_it_and_keep_no_other_account_waiting()
{
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let stores = [open(&address).await, open(&address).await];
        let own = connect(&address).await;
        let id = account(&stores[0], 10_000, 10_000).await;
        let large = large_plan(&stores[0], 3_000).await;
        let small = [
            plan(&stores[1], "a@reader.example").await,
            plan(&stores[1], "b@reader.example").await,
        ];
        let others = others(&stores[1]).await;
        // The large plan waits for as long as this holds the row of its account.
        own.batch_execute(HOLD).await.unwrap();
        let large = stores[0].commit(large);
        until_one_waits(&own).await;
        let small = small.map(|work| stores[1].commit(work));
        for shop in &others {
            shop.send_mailer(42, "ada@reader.example").await;
        }
        own.batch_execute("COMMIT").await.unwrap();
        assert_eq!(large.await, DONE);
        for commit in small {
            assert_eq!(commit.await, DONE);
        }
        assert_eq!(credits(&stores[0], id).await.1, 10_000 - 3_002);
    });
}

/// The numbers of emails of the first account's calls, in the order in which they were carried out.
pub(super) async fn emails_in_order(client: &Client) -> Vec<i64> {
    let order = "SELECT emails FROM calls c WHERE account = (SELECT min(account) FROM calls)
        ORDER BY (SELECT min(d.id) FROM deliveries d WHERE d.call = c.id)";
    let order = client.query(order, &[]).await.unwrap();
    order.iter().map(|row| row.get(0)).collect()
}

#[test]
fn a_plan_that_waits_for_the_row_of_its_account_is_followed_by_the_large_plans_that_wait() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let store = open(&address).await;
        let own = connect(&address).await;
        let id = account(&store, 10_000, 10_000).await;
        let first = plan(&store, "first@reader.example").await;
        let large = large_plan(&store, 2_000).await;
        let last = plan(&store, "last@reader.example").await;
        own.batch_execute(HOLD).await.unwrap();
        let first = store.commit(first);
        until_one_waits(&own).await;
        let later = [large, last].map(|work| store.commit(work));
        own.batch_execute("COMMIT").await.unwrap();
        assert_eq!(first.await, DONE);
        for commit in later {
            assert_eq!(commit.await, DONE);
        }
        assert_eq!(emails_in_order(&own).await, [1, 2_000, 1]);
        assert_eq!(credits(&store, id).await.1, 10_000 - 2_002);
    });
}

/// A store that waits less long for a lock than the service does.
async fn impatient(address: &str) -> (Arc<dyn Store>, AccountId) {
    let store = open(&format!("{address} options='-c lock_timeout=300'")).await;
    let id = account(&store, 100, 100).await;
    (store, id)
}

#[test]
fn plans_of_an_account_whose_row_does_not_become_free_in_time_fail_alone() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let (store, id) = impatient(&address).await;
        let own = connect(&address).await;
        let others = others(&store).await;
        let held = [
            plan(&store, "a@reader.example").await,
            plan(&store, "b@reader.example").await,
        ];
        own.batch_execute(HOLD).await.unwrap();
        let held = held.map(|work| store.commit(work));
        for shop in &others {
            shop.send_mailer(42, "ada@reader.example").await;
        }
        for commit in held {
            let failed = commit.await;
            assert!(matches!(failed, Err(StoreError::Failed(_))), "{failed:?}");
        }
        own.batch_execute("COMMIT").await.unwrap();
        // The plans were not carried out, and nothing prevents the next ones.
        assert_eq!(credits(&store, id).await, (100, 100));
        let next = plan(&store, "a@reader.example").await;
        assert_eq!(store.commit(next).await, DONE);
        assert_eq!(credits(&store, id).await, (99, 99));
    });
}
