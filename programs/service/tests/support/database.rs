//! The databases that a test of the program runs on, each filled with a world.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use franking_service::store::postgres::Postgres;
use franking_service::store::sqlite::Sqlite;
use franking_service::store::{AccountId, CallRow, Store};
use serde_json::Value;
use tempfile::TempDir;

use super::{Service, databases, fill, program, runtime};

/// A database that the program serves.
pub struct Database {
    folder: TempDir,
    /// The address of a PostgreSQL database.
    address: Option<String>,
}

impl Database {
    pub fn sqlite(world: &Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fill(folder.path(), world);
        Self {
            folder,
            address: None,
        }
    }

    /// `None` without an installed server.
    pub fn postgres(world: &Value) -> Option<Self> {
        Some(Self {
            folder: tempfile::tempdir().unwrap(),
            address: Some(super::postgres(world)?),
        })
    }

    /// A PostgreSQL database that exists already.
    pub fn at(address: String) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            address: Some(address),
        }
    }

    /// Another database of the same kind, without content.
    pub fn empty(&self) -> Self {
        let server = databases::SERVER.as_ref();
        let address = self
            .address
            .as_ref()
            .map(|_| runtime().block_on(server.unwrap().database()));
        Self {
            folder: tempfile::tempdir().unwrap(),
            address,
        }
    }

    /// Another database of the same kind, with the same content. Nothing may be connected to this one.
    pub fn copy(&self) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = self.address.as_ref().map(|address| {
            let server = databases::SERVER.as_ref().unwrap();
            runtime().block_on(server.copy(address))
        });
        if address.is_none() {
            let file = |folder: &TempDir| folder.path().join("franking.db");
            std::fs::copy(file(&self.folder), file(&folder)).unwrap();
        }
        Self { folder, address }
    }

    pub fn serve(&self, flags: &[&str]) -> Service {
        self.serve_by(program(), flags)
    }

    /// Serves with a command that may have settings of its own.
    pub fn serve_by(&self, command: Command, flags: &[&str]) -> Service {
        let mut all = flags.to_vec();
        if let Some(address) = &self.address {
            all.extend(["--database", address]);
        }
        Service::run(command, self.folder.path(), &all)
    }

    /// Serves with a mail server on this port, without TLS.
    pub fn serve_to(&self, command: Command, port: u16) -> Service {
        let port = port.to_string();
        let flags = [
            "--transport",
            "smtp",
            "--smtp-host",
            "127.0.0.1",
            "--smtp-tls",
            "none",
            "--smtp-port",
            &port,
        ];
        self.serve_by(command, &flags)
    }

    /// The flags with which a command finds the database.
    pub fn flags(&self) -> [&str; 2] {
        match &self.address {
            None => ["--data", self.folder.path().to_str().unwrap()],
            Some(address) => ["--database", address],
        }
    }

    /// The folder of the program's data.
    pub fn data(&self) -> &Path {
        self.folder.path()
    }

    /// The folder of a SQLite database.
    pub fn folder(&self) -> Option<&Path> {
        match self.address {
            None => Some(self.folder.path()),
            Some(_) => None,
        }
    }

    /// The store of the database. On SQLite, the program must have ended.
    pub async fn store(&self) -> Arc<dyn Store> {
        match &self.address {
            None => Arc::new(Sqlite::open(self.folder.path()).unwrap()),
            Some(address) => Arc::new(Postgres::open(address, 2).await.unwrap()),
        }
    }

    /// Waits until nothing of a killed program is carried out any more. A PostgreSQL server finishes the statements that it
    /// has read, such as COMMIT, before it notices that the client has gone.
    pub fn settle(&self) {
        const OTHERS: &str = "SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
        if self.address.is_none() {
            return;
        }
        let mut tries = 0;
        while self.number(OTHERS) > 0 {
            tries += 1;
            assert!(tries < 10_000, "sessions of a killed program go on");
            // clock: until they have ended; how long that takes does not matter
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    /// The accepted calls, after the program has ended.
    pub fn calls(&self) -> Vec<CallRow> {
        let calls = runtime().block_on(async {
            let account = AccountId::from_number(1);
            self.store().await.calls(account).await.unwrap()
        });
        calls.into_iter().map(|(_, row)| row).collect()
    }

    /// Runs a statement, in the form for each database. Returns the number of rows that it changes.
    pub fn execute(&self, sqlite: &str, postgres: &str) -> u64 {
        match &self.address {
            None => {
                let connection = self.connect_to_file();
                connection.execute(sqlite, []).unwrap().try_into().unwrap()
            }
            Some(address) => runtime().block_on(async {
                let client = databases::connect(address).await;
                client.execute(postgres, &[]).await.unwrap()
            }),
        }
    }

    /// Runs statements that both databases understand.
    pub fn script(&self, sql: &str) {
        match &self.address {
            None => self.connect_to_file().execute_batch(sql).unwrap(),
            Some(address) => runtime().block_on(async {
                let client = databases::connect(address).await;
                client.batch_execute(sql).await.unwrap();
            }),
        }
    }

    /// The number that a query returns. Both databases understand the query.
    pub fn number(&self, sql: &str) -> i64 {
        match &self.address {
            None => {
                let connection = self.connect_to_file();
                connection.query_row(sql, [], |row| row.get(0)).unwrap()
            }
            Some(address) => runtime().block_on(async {
                let client = databases::connect(address).await;
                client.query_one(sql, &[]).await.unwrap().get(0)
            }),
        }
    }

    /// The texts that a query of one column returns. Both databases understand the query.
    pub fn texts(&self, sql: &str) -> Vec<String> {
        match &self.address {
            None => {
                let connection = self.connect_to_file();
                let mut statement = connection.prepare(sql).unwrap();
                let rows = statement.query_map([], |row| row.get(0)).unwrap();
                rows.map(Result::unwrap).collect()
            }
            Some(address) => runtime().block_on(async {
                let client = databases::connect(address).await;
                let rows = client.query(sql, &[]).await.unwrap();
                rows.iter().map(|row| row.get(0)).collect()
            }),
        }
    }

    /// The store of the database, as an operator's command opens it.
    pub async fn visit(&self) -> Arc<dyn Store> {
        match &self.address {
            None => Arc::new(Sqlite::visit(self.folder.path()).unwrap()),
            Some(address) => Arc::new(Postgres::visit(address, None, 2).await.unwrap()),
        }
    }

    /// The address of a PostgreSQL database.
    pub fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    fn connect_to_file(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.folder.path().join("franking.db")).unwrap()
    }

    /// Keeps the program from writing until the lock is dropped. An accepted call waits in its commit, for seconds.
    pub fn lock_writing(&self) -> Lock {
        let Some(address) = &self.address else {
            let connection = self.connect_to_file();
            connection.execute_batch("BEGIN IMMEDIATE").unwrap();
            return Lock::Sqlite(connection);
        };
        let runtime = runtime();
        let client = runtime.block_on(async {
            let client = databases::connect(address).await;
            let lock = "BEGIN; SELECT FROM credits FOR UPDATE";
            client.batch_execute(lock).await.unwrap();
            client
        });
        Lock::Postgres(runtime, client)
    }
}

/// A lock that is held until it is dropped.
pub enum Lock {
    Sqlite(rusqlite::Connection),
    Postgres(tokio::runtime::Runtime, tokio_postgres::Client),
}

/// Runs each test on SQLite and on PostgreSQL.
macro_rules! on_both {
    ($($(#[doc = $doc:literal])* fn $name:ident($database:ident: &Database) $body:block)*) => {
        $($(#[doc = $doc])* fn $name($database: &crate::support::database::Database) $body)*

        mod on_sqlite {
            use crate::support::{database::Database, world};
            $(#[test] fn $name() { super::$name(&Database::sqlite(&world("world.json"))) })*
        }
        mod on_postgres {
            use crate::support::{database::Database, world};
            $(#[test] fn $name() {
                if let Some(database) = Database::postgres(&world("world.json")) {
                    super::$name(&database);
                }
            })*
        }
    };
}
pub(crate) use on_both;
