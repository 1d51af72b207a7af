//! Connections, their settings, and the schema.

// clock: limits of time alone; a result does not depend on them.
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use tokio_postgres::{Client, Config, NoTls};

/// The schema's versions, from the first. What was released is never changed.
const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001.sql"),
    include_str!("migrations/0002.sql"),
];

/// Held while the schema is brought up to date, so that of several processes one does it.
const MIGRATING: i64 = 0x6672_616e_6b00;

/// Why there is no database.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// What was given is no address of a database.
    #[error("this is no address of a PostgreSQL database: write postgresql://user@host/database")]
    Address,
    /// A later release of the service has used the database.
    #[error(
        "the database has version {found}, and this program knows versions up to {known}: use the later program"
    )]
    Newer {
        /// Of the database.
        found: i64,
        /// Of this program.
        known: i64,
    },
    /// The server cannot be reached, or refuses.
    #[error("cannot open the database")]
    Database(#[from] tokio_postgres::Error),
    /// The pool cannot be made.
    #[error("cannot make connections")]
    Pool(#[from] deadpool_postgres::BuildError),
}

/// Reads an address, and adds the limits of time that every connection has.
pub(super) fn configure(address: &str) -> Result<Config, OpenError> {
    let mut config: Config = address.parse().map_err(|_| OpenError::Address)?;
    // No statement is in a loop, and each is about one call: what takes longer than this is stuck.
    let limits = "-c statement_timeout=60000 -c lock_timeout=10000 -c idle_in_transaction_session_timeout=60000";
    let options = match config.get_options() {
        Some(given) => format!("{limits} {given}"),
        None => limits.to_owned(),
    };
    config.options(options);
    config.application_name("franking-service");
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(Duration::from_secs(5));
    }
    Ok(config)
}

/// Makes the pool: connections are opened when they are needed.
pub(super) fn pool(config: Config, connections: usize) -> Result<Pool, OpenError> {
    let recycling = ManagerConfig {
        // A connection within a transaction is never given back: it is closed.
        recycling_method: RecyclingMethod::Fast,
    };
    let manager = Manager::from_config(config, NoTls, recycling);
    let wait = Some(Duration::from_secs(10));
    let pool = Pool::builder(manager)
        .max_size(connections)
        .runtime(Runtime::Tokio1);
    // clock: after this time the answer is that there is no connection.
    Ok(pool.wait_timeout(wait).create_timeout(wait).build()?)
}

/// A connection beside the pool.
pub(super) async fn connect(config: &Config) -> Result<Client, tokio_postgres::Error> {
    let (client, connection) = config.connect(NoTls).await?;
    // It ends with the client, which is told why.
    tokio::spawn(connection);
    Ok(client)
}

/// Brings the schema up to this program's version, all of it or nothing.
pub(super) async fn migrate(config: &Config) -> Result<(), OpenError> {
    let mut client = connect(config).await?;
    let transaction = client.transaction().await?;
    transaction
        .execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATING])
        .await?;
    let versions = "CREATE TABLE IF NOT EXISTS schema_version (version bigint PRIMARY KEY)";
    transaction.batch_execute(versions).await?;
    let row = transaction
        .query_one(include_str!("sql/version.sql"), &[])
        .await?;
    let found: i64 = row.get::<_, Option<i64>>(0).unwrap_or(0);
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let done = usize::try_from(found).ok();
    let missing = done
        .and_then(|done| MIGRATIONS.get(done..))
        .ok_or(OpenError::Newer { found, known })?;
    for (version, migration) in (found.saturating_add(1)..).zip(missing) {
        transaction.batch_execute(migration).await?;
        transaction
            .execute(include_str!("sql/record_version.sql"), &[&version])
            .await?;
    }
    transaction.commit().await?;
    Ok(())
}
