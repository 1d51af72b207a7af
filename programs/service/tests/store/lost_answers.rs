//! Answers of PostgreSQL that are lost: whether the work was done may be unknown.

use std::sync::Arc;

use franking_service::store::postgres::Postgres;
use franking_service::store::{Committed, OperatorError, Store, StoreError};
use tokio_postgres::Client;

use super::postgres::{open, with_account};
use crate::databases::{SERVER, Server, connect, runtime};
use crate::proxy::Proxy;
use crate::world::{account, credits, decide, send_mailer, stored, to_commit};

/// Makes the server end the session of a transaction that has inserted a row of a table, when that transaction is committed.
async fn end_at_commit(client: &Client, table: &str) {
    let sql = format!(
        "CREATE OR REPLACE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
         CREATE CONSTRAINT TRIGGER end_at_commit AFTER INSERT ON {table} DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION end_session()"
    );
    client.batch_execute(&sql).await.unwrap();
}

#[test]
fn a_commit_that_is_lost_and_was_not_carried_out_is_known_to_be_undone() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let store = open(&address).await;
        let id = account(&store, 10, 10).await;
        let mut call = send_mailer("a@reader.example");
        let work = to_commit(&store, &mut call, None).await.unwrap();
        let client = connect(&address).await;
        end_at_commit(&client, "calls").await;
        let lost = store.commit(work).await;
        assert!(matches!(lost, Err(StoreError::Failed(_))), "{lost:?}");
        assert_eq!(credits(&store, id).await, (10, 10));
        assert!(store.calls(id).await.unwrap().is_empty());
        client
            .batch_execute("DROP TRIGGER end_at_commit ON calls")
            .await
            .unwrap();
        assert_eq!(
            decide(store.clone(), send_mailer("a@reader.example")).await,
            200
        );
    });
}

#[test]
fn a_command_whose_connection_is_lost_may_have_been_carried_out() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let (store, _, client) = with_account(server).await;
        let call = send_mailer("a@reader.example");
        assert_eq!(decide(store.clone(), call).await, 200);
        let has_ended = "DELETE FROM queue; UPDATE deliveries SET state = 'delivered'";
        client.batch_execute(has_ended).await.unwrap();
        let delivery = client.query_one("SELECT id FROM deliveries", &[]);
        let delivery: i64 = delivery.await.unwrap().get(0);
        for table in ["queue", "accounts", "audit"] {
            end_at_commit(&client, table).await;
        }
        let account = franking::Account::default();
        let lost = [
            store.resend(delivery).await,
            store
                .create_account("Other".to_owned(), account, "operator".to_owned())
                .await
                .map(drop),
            store
                .begin_audit("ada".to_owned(), "resend".to_owned())
                .await
                .map(drop),
        ];
        for lost in lost {
            let is_unknown = matches!(lost, Err(OperatorError::Store(StoreError::Unknown(_))));
            assert!(is_unknown, "{lost:?}");
        }
    });
}

/// Commits through a proxy that withholds the answer to COMMIT, and compares the result with the content of the server.
async fn commit_without_answer(
    server: &Server,
    cut: impl Fn(&Proxy),
) -> Result<Committed, StoreError> {
    let address = server.migrated().await;
    let direct = open(&address).await;
    let proxy = Proxy::start(server.folder());
    let [server, proxied] =
        [server.folder(), proxy.folder()].map(|folder| folder.to_str().unwrap());
    let store: Arc<dyn Store> = Arc::new(
        Postgres::open(&address.replace(server, proxied), 1)
            .await
            .unwrap(),
    );
    let id = account(&store, 10, 10).await;
    let mut call = send_mailer("a@reader.example");
    let work = to_commit(&store, &mut call, None).await.unwrap();
    let number = work.id();
    cut(&proxy);
    let answer = store.commit(work).await;
    // The commit was carried out once.
    assert!(stored(&direct, id, number).await.is_some());
    assert_eq!(credits(&direct, id).await, (9, 9));
    answer
}

#[test]
fn a_commit_whose_answer_is_lost_is_found_by_its_own_id() {
    let Some(server) = &*SERVER else { return };
    let answer = runtime().block_on(commit_without_answer(server, |proxy| proxy.cut(false)));
    assert_eq!(answer, Ok(Committed::Done));
}

#[test]
fn a_commit_whose_answer_is_lost_is_unknown_while_nobody_can_be_asked() {
    let Some(server) = &*SERVER else { return };
    let answer = runtime().block_on(commit_without_answer(server, |proxy| proxy.cut(true)));
    assert!(matches!(answer, Err(StoreError::Unknown(_))), "{answer:?}");
}

#[test]
fn a_commit_that_the_server_reads_when_it_was_given_up_is_found_by_its_own_id() {
    let Some(server) = &*SERVER else { return };
    let answer = runtime().block_on(commit_without_answer(server, Proxy::cut_late));
    assert_eq!(answer, Ok(Committed::Done));
}
