//! A database of the release before sends what it has accepted.

use std::sync::Arc;

use franking_service::store::Store;
use franking_service::store::postgres::Postgres;
use franking_service::store::sqlite::Sqlite;

use crate::databases::{SERVER, connect, runtime};
use crate::shop::ASK;

/// An accepted email, and another that a process had claimed.
const FILL: &str = "
    INSERT INTO accounts (name, blocked, expired, deactivated) VALUES ('a', false, false, false);
    INSERT INTO contents (hash, html) VALUES (BYTES, BYTES);
    INSERT INTO calls (id, account, operation, emails, subscribers) VALUES (7, 1, 'httpSendMail', 2, 0);
    INSERT INTO messages (call, position, subject, content, from_address, track_opens, track_clicks)
    VALUES (7, 0, 'News', BYTES, 'news@shop.example', FALSE, FALSE);
    INSERT INTO deliveries (call, message, account, subscriber, to_address)
    VALUES (7, 0, 1, 1, 'a@reader.example'), (7, 0, 1, 2, 'b@reader.example');
    UPDATE deliveries SET lease_owner = 'somebody' WHERE to_address = 'b@reader.example';";

async fn both_are_claimed(store: Arc<dyn Store>) {
    let claimed = store.claim_batch(ASK).await.unwrap().deliveries;
    let to: Vec<&str> = claimed
        .iter()
        .map(|one| one.delivery.as_ref().unwrap().to.as_str())
        .collect();
    assert_eq!(to, ["a@reader.example", "b@reader.example"]);
    assert_eq!(&*claimed[0].delivery.as_ref().unwrap().html, "h");
}

#[test]
fn a_sqlite_database_of_the_first_schema_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let connection = rusqlite::Connection::open(folder.path().join("franking.db")).unwrap();
    let schema = include_str!("../../src/store/sqlite/migrations/0001.sql");
    connection.execute_batch(schema).unwrap();
    let fill = FILL.replace("BYTES", "x'68'");
    connection.execute_batch(&fill).unwrap();
    connection.pragma_update(None, "user_version", 1).unwrap();
    drop(connection);
    runtime().block_on(async {
        both_are_claimed(Arc::new(Sqlite::open(folder.path()).unwrap())).await;
    });
}

#[test]
fn a_postgres_database_of_the_first_schema_is_brought_up_to_date() {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.database().await;
        let client = connect(&address).await;
        let schema = include_str!("../../src/store/postgres/migrations/0001.sql");
        client.batch_execute(schema).await.unwrap();
        let fill = FILL.replace("BYTES", "'\\x68'");
        client.batch_execute(&fill).await.unwrap();
        let version = "CREATE TABLE schema_version (version bigint PRIMARY KEY); INSERT INTO schema_version VALUES (1)";
        client.batch_execute(version).await.unwrap();
        both_are_claimed(Arc::new(Postgres::open(&address, 4).await.unwrap())).await;
    });
}
