//! Databases that are filled with a world. A world is filled once, and each test gets a copy of it: making the schema and
//! filling it takes longer than most tests do.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use franking::{Account, DomainRoles};
use franking_service::mail::Template;
use franking_service::store::postgres::Postgres;
use franking_service::store::sqlite::Sqlite;
use franking_service::store::{
    AccountId, Address, Domain, KeyHash, NewMailer, NewSubscriber, Store,
};
use serde_json::Value;

use super::{databases, runtime};

/// The files of SQLite databases, each by the world with which it is filled.
static FILES: Mutex<BTreeMap<String, Arc<[u8]>>> = Mutex::new(BTreeMap::new());

/// Makes a new SQLite database that is filled with a world.
pub fn fill(folder: &Path, world: &Value) {
    let bytes = {
        // What is there is whole, even if another test has failed while it filled a world.
        let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
        let file = files.entry(world.to_string());
        Arc::clone(file.or_insert_with(|| file_of(world)))
    };
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let mut file = options.open(folder.join("franking.db")).unwrap();
    file.write_all(&bytes).unwrap();
}

/// The file of a SQLite database that is filled with a world.
fn file_of(world: &Value) -> Arc<[u8]> {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let store = Sqlite::open(folder.path()).unwrap();
        let id = fill_store(&store, world).await;
        assert_eq!(id.number(), 1);
    });
    let path = folder.path().join("franking.db");
    let connection = rusqlite::Connection::open(&path).unwrap();
    // Everything has to be in this file, and nothing in the log beside it.
    let whole = "PRAGMA wal_checkpoint(TRUNCATE)";
    connection.query_row(whole, [], |_| Ok(())).unwrap();
    drop(connection);
    std::fs::read(&path).unwrap().into()
}

/// The address of a new PostgreSQL database, filled with a world. `None` without an installed server.
pub fn postgres(world: &Value) -> Option<String> {
    let server = databases::SERVER.as_ref()?;
    let (name, world) = (world.to_string(), world.clone());
    let fill = move |address: String| runtime().block_on(fill_postgres(&address, &world));
    Some(runtime().block_on(server.like(&name, fill)))
}

/// Fills a new PostgreSQL database with a world.
pub async fn fill_postgres(address: &str, world: &Value) {
    let store = Postgres::open(address, 2).await.unwrap();
    let id = fill_store(&store, world).await;
    assert_eq!(id.number(), 1);
}

/// Fills a store with the accounts of a world. All have the same mailers, lists and subscribers. Returns the first account.
async fn fill_store(store: &dyn Store, world: &Value) -> AccountId {
    let mut first = None;
    for (key, row) in world["accounts"].as_object().unwrap() {
        let id = fill_account(store, world, key, row).await;
        first.get_or_insert(id);
    }
    let mut domains = BTreeMap::<&str, DomainRoles>::new();
    for (role, names) in world["blacklists"].as_object().unwrap() {
        for name in names.as_array().unwrap() {
            let roles = domains
                .entry(name.as_str().unwrap())
                .or_insert(DomainRoles::NONE);
            *roles |= DomainRoles::from_name(role).unwrap();
        }
    }
    for (name, roles) in domains {
        let domain = Domain::parse(name).unwrap();
        store.set_blacklisted(domain, roles).await.unwrap();
    }
    first.unwrap()
}

async fn fill_account(store: &dyn Store, world: &Value, key: &str, row: &Value) -> AccountId {
    let flag = |name: &str| row[name].as_bool().unwrap_or(false);
    let account = Account {
        blocked: flag("blocked"),
        expired: flag("expired"),
        deactivated: flag("deactivated"),
        subscriber_credit: row["subscriber_credit"].as_i64(),
        email_credit: row["email_credit"].as_i64(),
    };
    let made = store.create_account("world".into(), account, "the world".into());
    let id = made.await.unwrap();
    store.add_key(id, KeyHash::of(key), None).await.unwrap();
    let address = |value: &Value| Address::parse(value.as_str().unwrap()).unwrap();
    for sender in world["senders"].as_array().unwrap() {
        store.put_sender(id, address(sender), true).await.unwrap();
    }
    for (number, mailer) in world["mailers"].as_object().unwrap() {
        let mailer = NewMailer {
            unsubscribe: None,
            id: Some(number.parse().unwrap()),
            from: address(&mailer["from"]),
            from_name: mailer["from_name"].as_str().map(Into::into),
            template: Template::parse("Hello".into(), "<p>Hello".into(), None).unwrap(),
        };
        store.put_mailer(id, mailer).await.unwrap();
    }
    for list in world["lists"].as_array().unwrap() {
        let name = list.as_str().unwrap().to_owned();
        store.create_list(id, name).await.unwrap();
    }
    for one in world["subscribers"].as_array().unwrap() {
        let subscriber = NewSubscriber {
            id: one["id"].as_u64(),
            email: address(&one["email"]),
            inactive: one["inactive"].as_bool().unwrap(),
        };
        store.put_subscriber(id, subscriber).await.unwrap();
    }
    id
}
