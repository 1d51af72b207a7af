//! Connections, their settings, and the schema.

use std::future::{pending, poll_fn};
use std::path::Path;
// clock: limits of time alone; a result does not depend on them.
use std::time::Duration;

use deadpool_postgres::{Hook, HookError, Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tokio_postgres::config::SslMode;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls};

use super::tls::{Tls, TlsError};
use crate::store::schema::{self, Fit, Migration, Version};

/// The schema of a new database.
pub(super) const SCHEMA: &str = include_str!("migrations/0001.sql");
/// The schema's versions, from the first. A version that was released is never changed.
const MIGRATIONS: &[Migration] = &[Migration {
    sql: SCHEMA,
    least: 1,
}];

/// The age at which a connection is replaced. The new one follows an address that now leads to another server, and the server
/// frees the memory of the old one.
const LONGEST_LIFE: Duration = Duration::from_secs(30 * 60);

/// The advisory lock that is held while the schema is brought up to date, so that only one of several processes does it.
const MIGRATING: i64 = 0x6672_616e_6b00;

/// Why a database cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The text is not the address of a database.
    #[error(
        "this is not the address of a PostgreSQL database: write postgresql://user@host/database"
    )]
    Address,
    /// It has the schema of an earlier release, or none.
    #[error(
        "the database is not up to date: it has schema {found}, and this program needs schema {known}. Run franking-service migrate"
    )]
    Older {
        /// Of the database.
        found: i64,
        /// Of this program.
        known: i64,
    },
    /// A later release of the service has used the database.
    #[error(
        "the database is newer than this program: it has schema {found}, and this program knows schemas up to {known}. Run the newer program"
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
    /// The certificates that are to be trusted cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The pool cannot be made.
    #[error("cannot make connections")]
    Pool(#[from] deadpool_postgres::BuildError),
}

/// A statement that takes longer than these limits is stuck, because each is about one call or a bounded number of rows.
const LIMITS: &str =
    "-c statement_timeout=60000 -c lock_timeout=4000 -c idle_in_transaction_session_timeout=60000";

/// The planner's settings on every connection. A statement has one generic plan for each connection. It may have been planned
/// while a table was small, and run when the table has grown. Therefore a sequential scan is planned only where no index will
/// do. That setting gives a sequential scan a high cost, for which the server would compile it (JIT). Compiling takes longer
/// than most of these statements, so it is off.
pub const PLANS: &str = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off";

/// A database, and how connections to it are made.
#[derive(Clone)]
pub(super) struct Server {
    config: Config,
    tls: Option<Tls>,
}

impl Server {
    /// Reads an address. With a file of certificates all connections are over TLS.
    pub(super) fn at(address: &str, certificates: Option<&Path>) -> Result<Self, OpenError> {
        let mut config = configure(address)?;
        let tls = certificates.map(Tls::trusting).transpose()?;
        if tls.is_some() {
            config.ssl_mode(SslMode::Require);
        }
        Ok(Self { config, tls })
    }

    /// Opens a connection outside the pool.
    pub(super) async fn connect(&self) -> Result<Client, tokio_postgres::Error> {
        // The connection ends with the client, which is told why.
        match &self.tls {
            Some(tls) => {
                let (client, connection) = self.config.connect(tls.clone()).await?;
                tokio::spawn(connection);
                Ok(client)
            }
            None => {
                let (client, connection) = self.config.connect(NoTls).await?;
                tokio::spawn(connection);
                Ok(client)
            }
        }
    }

    /// Notifies `told` of each signal on a channel. Also notifies it once when it begins to listen, because a signal may
    /// have come before. This ends with its connection, and returns whether it listened.
    pub(super) async fn listen(&self, channel: &str, told: &Notify) -> bool {
        match &self.tls {
            Some(tls) => match self.config.connect(tls.clone()).await {
                Ok((client, connection)) => listen(&client, connection, channel, told).await,
                Err(_) => false,
            },
            None => match self.config.connect(NoTls).await {
                Ok((client, connection)) => listen(&client, connection, channel, told).await,
                Err(_) => false,
            },
        }
    }

    /// Makes the pool. Connections are opened when they are needed. While this process runs, a later release may change the
    /// schema so that this program no longer fits it. From then on, no connection is opened.
    pub(super) fn pool(&self, connections: usize) -> Result<Pool, OpenError> {
        let recycling = ManagerConfig {
            // A connection within a transaction is never given back: it is closed.
            recycling_method: RecyclingMethod::Fast,
        };
        let config = self.config.clone();
        let manager = match &self.tls {
            Some(tls) => Manager::from_config(config, tls.clone(), recycling),
            None => Manager::from_config(config, NoTls, recycling),
        };
        let wait = Some(Duration::from_secs(4));
        let pool = Pool::builder(manager)
            .max_size(connections)
            .pre_recycle(Hook::sync_fn(|_, metrics| {
                match metrics.age() < LONGEST_LIFE {
                    true => Ok(()),
                    false => Err(HookError::message("it is old")),
                }
            }))
            .post_create(Hook::async_fn(|client, _| {
                Box::pin(async move {
                    let newer = || HookError::message("a later release has changed the schema");
                    let found = found_version(client).await.map_err(HookError::Backend)?;
                    match found.fit(schema::known(MIGRATIONS)) {
                        Fit::Newer => Err(newer()),
                        Fit::Fits | Fit::Older => Ok(()),
                    }
                })
            }))
            .runtime(Runtime::Tokio1);
        // clock: after this time the answer is that there is no connection.
        Ok(pool.wait_timeout(wait).create_timeout(wait).build()?)
    }
}

/// As [`Server::listen`], on a connection of either kind.
async fn listen<S, T>(
    client: &Client,
    mut connection: Connection<S, T>,
    channel: &str,
    told: &Notify,
) -> bool
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    let messages = async {
        while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
            if matches!(message, AsyncMessage::Notification(_)) {
                told.notify_one();
            }
        }
    };
    let mut has_listened = false;
    let listening = async {
        let listen = format!("LISTEN {channel}");
        if client.batch_execute(&listen).await.is_ok() {
            has_listened = true;
            told.notify_one();
            pending::<()>().await;
        }
    };
    tokio::select! {
        () = messages => {}
        () = listening => {}
    }
    has_listened
}

/// Reads an address, and adds the settings that every connection has. Options in the address come last, so they override these.
fn configure(address: &str) -> Result<Config, OpenError> {
    let mut config: Config = address.parse().map_err(|_| OpenError::Address)?;
    let options = match config.get_options() {
        Some(given) => format!("{LIMITS} {PLANS} {given}"),
        None => format!("{LIMITS} {PLANS}"),
    };
    config.options(options);
    config.application_name("franking-service");
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(Duration::from_secs(4));
    }
    // A server that vanishes says nothing. The system probes the connection, and gives up if nothing is acknowledged.
    config.keepalives_idle(Duration::from_secs(15));
    config.keepalives_interval(Duration::from_secs(5));
    config.keepalives_retries(3);
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(Duration::from_secs(10));
    }
    Ok(config)
}

/// The version of a database whose schema has one.
async fn found_version(client: &Client) -> Result<Version, tokio_postgres::Error> {
    let row = client.query_opt(include_str!("../sql/version.sql"), &[]);
    Ok(match row.await? {
        Some(row) => Version {
            number: row.try_get(0)?,
            least: row.try_get(1)?,
        },
        None => Version::default(),
    })
}

/// Checks that this program works with the schema.
pub(super) async fn check_version(server: &Server) -> Result<(), OpenError> {
    let client = server.connect().await?;
    let exists = "SELECT to_regclass('schema_version') IS NOT NULL";
    let version = match client.query_one(exists, &[]).await?.get(0) {
        true => found_version(&client).await?,
        false => Version::default(),
    };
    let (found, known) = (version.number, schema::known(MIGRATIONS));
    match version.fit(known) {
        Fit::Older => Err(OpenError::Older { found, known }),
        Fit::Fits => Ok(()),
        Fit::Newer => Err(OpenError::Newer { found, known }),
    }
}

/// Brings the schema up to this program's version, completely or not at all.
pub(super) async fn migrate(server: &Server) -> Result<(), OpenError> {
    let mut client = server.connect().await?;
    let transaction = client.transaction().await?;
    // Migrating a large table has no time limit, and neither has waiting for another process that migrates.
    transaction
        .batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        .await?;
    transaction
        .execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATING])
        .await?;
    let versions = "CREATE TABLE IF NOT EXISTS schema_version (version bigint PRIMARY KEY, least bigint NOT NULL)";
    transaction.batch_execute(versions).await?;
    let version = found_version(transaction.client()).await?;
    let (found, known) = (version.number, schema::known(MIGRATIONS));
    match version.fit(known) {
        Fit::Newer => return Err(OpenError::Newer { found, known }),
        Fit::Fits => return Ok(()),
        Fit::Older => {}
    }
    for (number, migration) in schema::missing(MIGRATIONS, found) {
        transaction.batch_execute(migration.sql).await?;
        let record = "INSERT INTO schema_version (version, least) VALUES ($1, $2)";
        transaction
            .execute(record, &[&number, &migration.least])
            .await?;
    }
    transaction.commit().await?;
    Ok(())
}
