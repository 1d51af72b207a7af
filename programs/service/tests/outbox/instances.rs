//! The processes of one database, by name.

use std::sync::Arc;

use franking_service::store::Store;
use franking_service::store::postgres::Postgres;

use crate::databases::{SERVER, connect, runtime};
use crate::shop::{ASK, Shop, wait};

async fn claimed(store: &Arc<dyn Store>) -> usize {
    let batch = store.claim_batch(ASK, Vec::new()).await.unwrap();
    batch.deliveries.len()
}

#[test]
fn a_process_that_comes_back_under_its_name_takes_its_own_claims_at_once_and_nobody_elses() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let open = async || {
            let store: Arc<dyn Store> = Arc::new(Postgres::open(&address, 4).await.unwrap());
            store
        };
        let (one, other) = (open().await, open().await);
        let shop = Shop::open(&one, "a").await;
        let name = one.hold_name("one".to_owned()).await.unwrap();
        let _other = other.hold_name("other".to_owned()).await.unwrap();
        shop.send_many(3, "reader.example").await;
        assert_eq!(claimed(&one).await, 3);
        shop.send_many(2, "reader.example").await;
        assert_eq!(claimed(&other).await, 2);
        let again = open().await;
        // The name belongs to a living process, so nothing is taken from it.
        let waits = again.hold_name("one".to_owned()).await.unwrap();
        assert_eq!(claimed(&again).await, 0);
        drop((waits, name));
        // The server releases the name when it has noticed that the session has ended. Then only the other name is held.
        let own = connect(&address).await;
        let names = async || {
            let sql = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
            own.query_one(sql, &[]).await.unwrap().get::<_, i64>(0)
        };
        wait("the name is not released", async || names().await <= 1).await;
        let back = open().await;
        let _name = back.hold_name("one".to_owned()).await.unwrap();
        assert_eq!(claimed(&back).await, 3);
    });
}

#[test]
fn a_process_that_loses_the_session_of_its_name_keeps_what_it_has_claimed() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let store: Arc<dyn Store> = Arc::new(Postgres::open(&address, 4).await.unwrap());
        let shop = Shop::open(&store, "a").await;
        let _name = store.hold_name("one".to_owned()).await.unwrap();
        shop.send_many(3, "reader.example").await;
        assert_eq!(claimed(&store).await, 3);
        let own = connect(&address).await;
        let holder = async || {
            let sql = "SELECT l.pid FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
                WHERE l.locktype = 'advisory' AND a.datname = current_database() AND a.state = 'idle'";
            let rows = own.query(sql, &[]).await.unwrap();
            rows.first().map(|row| row.get::<_, i32>(0))
        };
        // The session is idle again when it has been looked after for the first time.
        let mut held = None;
        wait("no session is idle", async || {
            held = holder().await;
            held.is_some()
        })
        .await;
        let old = held.unwrap();
        let sql = "SELECT pg_terminate_backend($1)";
        own.query(sql, &[&old]).await.unwrap();
        // The process looks after its session every five seconds, and the session is idle again when everything is done.
        wait("no new session holds the name", async || {
            holder().await.is_some_and(|pid| pid != old)
        })
        .await;
        assert_eq!(claimed(&store).await, 0);
    });
}
