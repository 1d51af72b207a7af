//! This process among others that serve the database: its name, and the signals between them.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
// clock: how often it is tried again; a result does not depend on it.
use std::time::Duration;

use deadpool_postgres::Pool;
use sha2::{Digest as _, Sha256};
use tokio::sync::{Notify, oneshot};
use tokio::time::{sleep, timeout};
use tokio_postgres::Error;

use super::open::Server;
use super::session::{Params, Session};

/// How long commits are gathered, so that other processes are told of them together.
const GATHER: Duration = Duration::from_millis(50);
/// How long to wait after a lost connection before the next one is opened.
const RECONNECT: Duration = Duration::from_secs(2);
/// How often the session that holds the name is checked.
const LOOK: Duration = Duration::from_secs(5);
/// How long the start of the service waits for the name.
const PATIENCE: Duration = Duration::from_secs(5);

/// The number of this process's name while this is known to be the only process with the name. 0 at other times.
#[derive(Clone, Default)]
pub(super) struct Instance(Arc<AtomicI64>);

impl Instance {
    pub(super) fn number(&self) -> Option<i64> {
        Some(self.0.load(Ordering::Relaxed)).filter(|number| *number != 0)
    }
}

/// Signals that something was committed. Clones share the signals.
#[derive(Clone, Default)]
pub(super) struct Signals {
    /// For the workers of this process.
    pub(super) own: Arc<Notify>,
    /// For the workers of other processes.
    others: Arc<Notify>,
}

impl Signals {
    pub(super) fn give(&self) {
        self.own.notify_one();
        self.others.notify_one();
    }
}

/// Tells the workers of all processes that something was committed, at most once in a while. A signal in the transactions
/// themselves would make all commits of the server wait for each other. This never returns.
pub(super) async fn tell_others(pool: Pool, signals: Signals) {
    loop {
        signals.others.notified().await;
        if let Ok(session) = Session::open(&pool).await {
            let told = session.query("telling of work", include_str!("sql/notify.sql"), &[]);
            if told.await.is_ok() {
                session.close();
            }
        }
        // clock: how soon the others are told again; a worker that is not told looks for work after a while
        sleep(GATHER).await;
    }
}

/// Holds a name for as long as this runs, by an advisory lock of a session, which ends with the process. Deliveries that
/// another process had claimed under the name are due at once. `first` is dropped after the first attempt to take the name.
pub(super) async fn hold(
    server: Server,
    name: String,
    instance: Instance,
    first: oneshot::Sender<()>,
) {
    let number = number(&name);
    let mut first = Some(first);
    let mut was_told = false;
    // Once this process has held the name, what is claimed under it is its own.
    let mut has_held = false;
    loop {
        match take_over(&server, number, !has_held).await {
            Ok(Some((client, released))) => {
                has_held = true;
                instance.0.store(number, Ordering::Relaxed);
                if released > 0 {
                    tracing::info!(
                        released,
                        "deliveries that this instance had claimed before are due again"
                    );
                    drop(client.batch_execute("NOTIFY franking_outbox").await);
                }
                drop(first.take());
                let is_there = async || client.batch_execute("SELECT 1").await.is_ok();
                // clock: a session that does not answer is lost
                while let Ok(true) = timeout(LOOK, is_there()).await {
                    sleep(LOOK).await;
                }
                instance.0.store(0, Ordering::Relaxed);
            }
            Ok(None) if !was_told => {
                was_told = true;
                tracing::warn!(
                    instance = name,
                    "another process of this database has the same instance name: give each process its own with the setting instance. Without one, a process that starts again waits until its earlier leases end"
                );
            }
            Ok(None) | Err(_) => {}
        }
        drop(first.take());
        sleep(RECONNECT).await;
    }
}

/// Takes a name's lock. With `releases`, what was claimed under the name is released. Returns the session that holds the lock
/// and how many deliveries were released, or `None` if another session holds the lock.
async fn take_over(
    server: &Server,
    number: i64,
    releases: bool,
) -> Result<Option<(tokio_postgres::Client, u64)>, Error> {
    let client = server.connect().await?;
    let params: Params<'_> = &[&number];
    let locked = client.query_one(include_str!("sql/try_lock.sql"), params);
    if !locked.await?.try_get::<_, bool>(0)? {
        return Ok(None);
    }
    let released = match releases {
        true => {
            let sql = include_str!("sql/take_over.sql");
            client.execute(sql, params).await?
        }
        false => 0,
    };
    Ok(Some((client, released)))
}

/// Waits until [`hold`] has tried to take the name, but only for a while.
pub(super) async fn first_try(first: oneshot::Receiver<()>) {
    // clock: emails can be sent without the name
    let _ = timeout(PATIENCE, first).await;
}

/// Returns the number of a name, which is positive. It is also the number of its lock.
fn number(name: &str) -> i64 {
    let mut hash = Sha256::new();
    hash.update("instance\0");
    hash.update(name);
    let digest: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, e, f, g, h, ..] = digest;
    i64::from_le_bytes([a, b, c, d, e, f, g, h]).max(1)
}

/// Listens for signals of work, on a connection outside the pool, until this is dropped.
pub(super) async fn listen(server: Server, work: Arc<Notify>) {
    loop {
        let has_listened = server.listen("franking_outbox", &work).await;
        tracing::debug!(
            has_listened,
            "no signals come from the database: connecting again"
        );
        sleep(RECONNECT).await;
    }
}
