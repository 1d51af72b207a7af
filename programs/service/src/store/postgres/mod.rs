//! The store on PostgreSQL: one database, served by any number of processes.

mod batches;
mod carry_out;
mod claims;
mod command;
mod events;
mod facts;
mod failure;
mod group_commit;
mod guesses;
mod hits;
mod import;
mod inspect;
mod instance;
mod open;
mod operator;
mod outbox;
mod reports;
mod rows;
mod session;
mod slices;
mod statement;
mod stored;
mod tls;
mod transcripts;
mod turn;
mod unsubscribed;
mod webhooks;

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use deadpool_postgres::Pool;
use tokio::sync::{Semaphore, oneshot};
use tokio_util::task::AbortOnDropHandle;

use self::batches::Batches;
use self::group_commit::GroupCommit;
use self::guesses::Guesses;
use self::instance::Signals;
use self::open::Server;
pub use self::open::{OpenError, PLANS};
use self::outbox::Round;
use self::session::Session;
pub use self::tls::TlsError;
use super::asked::{Asked, to_signed};
use super::broken::Broken;
use super::error::{Cause, StoreError};
use super::holds::Holds;
use super::idempotency::{Claim, IdempotencyKey, Kept};
use super::identity::{AccountId, Authenticated, KeyHash};
use super::known::Found;
use super::turn::{Again, Turned};
use super::work::Work;
use super::{Answer, Committed, Store};

/// How often a transaction is tried if others interfere.
const ATTEMPTS: u32 = 4;

/// One connection in four is for operators' reads. They can be long, and what is sent needs connections as well.
const SHARE: usize = 4;
/// The maximum number of connections with which operators read.
const LOOKS: usize = 4;

/// A PostgreSQL database. Debug shows nothing.
pub struct Postgres {
    pool: Pool,
    /// A permit for each connection that operators may read with at once.
    operators: Arc<Semaphore>,
    holds: Holds,
    commits: GroupCommit,
    round: Round,
    signals: Signals,
    broken: Broken,
    accounts: Batches<KeyHash, Option<Authenticated>>,
    facts: Batches<(AccountId, Asked), Result<Found, StoreError>>,
    guesses: Guesses,
    kept: Batches<(AccountId, IdempotencyKey), Option<Kept>>,
    /// The task that tells other processes what was committed.
    _telling: AbortOnDropHandle<()>,
}

impl Postgres {
    /// Connects to a database by its address (`postgresql://…`, or `host=… dbname=…`), and creates its schema or brings it
    /// up to date. The connections are not encrypted, which suits a Unix socket or a trusted network.
    ///
    /// # Errors
    /// The database cannot be served.
    pub async fn open(address: &str, connections: usize) -> Result<Self, OpenError> {
        Self::serve(Server::at(address, None)?, connections).await
    }

    /// As [`Postgres::open`], over TLS. Only the certificates of a PEM file are trusted, and the server's certificate has to
    /// be for the host of the address.
    ///
    /// # Errors
    /// The database cannot be served.
    pub async fn open_over_tls(
        address: &str,
        certificates: &Path,
        connections: usize,
    ) -> Result<Self, OpenError> {
        Self::serve(Server::at(address, Some(certificates))?, connections).await
    }

    /// As [`Postgres::open`] and [`Postgres::open_over_tls`], for an operator's command. A schema that does not fit this
    /// program is refused, and stays as it is.
    ///
    /// # Errors
    /// Also [`OpenError::Older`].
    pub async fn visit(
        address: &str,
        certificates: Option<&Path>,
        connections: usize,
    ) -> Result<Self, OpenError> {
        let server = Server::at(address, certificates)?;
        open::check_version(&server).await?;
        Self::on(server, connections)
    }

    async fn serve(server: Server, connections: usize) -> Result<Self, OpenError> {
        open::migrate(&server).await?;
        Self::on(server, connections)
    }

    fn on(server: Server, connections: usize) -> Result<Self, OpenError> {
        let pool = server.pool(connections)?;
        let signals = Signals::default();
        let broken = Broken::default();
        let telling = instance::tell_others(pool.clone(), signals.clone());
        let telling = tokio::spawn(broken.watch("telling other processes", telling));
        let guesses = Guesses::default();
        let shared = guesses.clone();
        Ok(Self {
            commits: GroupCommit::start(&server, pool.clone(), signals.clone(), &broken)?,
            signals,
            broken,
            accounts: Batches::new(pool.clone(), |pool, keys| {
                Box::pin(stored::accounts(pool, keys))
            }),
            facts: Batches::new(pool.clone(), move |pool, calls| {
                let guesses = shared.clone();
                Box::pin(async move {
                    let calls: Vec<_> = calls
                        .iter()
                        .map(|(account, asked)| (*account, asked))
                        .collect();
                    facts::facts(pool, &calls, &guesses).await
                })
            }),
            guesses,
            kept: Batches::new(pool.clone(), |pool, keys| {
                Box::pin(stored::kept(pool, keys))
            }),
            pool,
            operators: Arc::new(Semaphore::new((connections / SHARE).clamp(1, LOOKS))),
            holds: Holds::default(),
            round: Round::new(server),
            _telling: AbortOnDropHandle::new(telling),
        })
    }

    /// Runs work on the pool, as [`run_on`].
    fn run<T, E, F>(&self, work: impl FnOnce(Pool) -> F) -> Answer<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Future<Output = Result<T, E>> + Send + 'static,
    {
        run_on(&self.pool, work)
    }

    /// Runs an operator's read on the pool, as [`look_on`].
    fn look<T, E, F>(&self, read: impl FnOnce(Pool) -> F + Send + 'static) -> Answer<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Future<Output = Result<T, E>> + Send + 'static,
    {
        look_on(&self.pool, &self.operators, read)
    }
}

/// Runs an operator's read on a pool when there is a permit for it.
fn look_on<T, E, F>(
    pool: &Pool,
    operators: &Arc<Semaphore>,
    read: impl FnOnce(Pool) -> F + Send + 'static,
) -> Answer<T, E>
where
    T: Send + 'static,
    E: From<StoreError> + Send + 'static,
    F: Future<Output = Result<T, E>> + Send + 'static,
{
    let (told, answer) = oneshot::channel();
    let (operators, pool) = (Arc::clone(operators), pool.clone());
    tokio::spawn(async move {
        // The semaphore is never closed.
        let _permit = operators.acquire().await;
        // Perhaps nobody waits for the answer any more: an operator who reloads a slow page leaves a read each time.
        if !told.is_closed() {
            drop(told.send(read(pool).await));
        }
    });
    Box::pin(async move { answer.await.unwrap_or_else(|_| Err(stopped().into())) })
}

/// Runs work on a pool in a task of its own, so that it is finished even if the answer is dropped.
fn run_on<T, E, F>(pool: &Pool, work: impl FnOnce(Pool) -> F) -> Answer<T, E>
where
    T: Send + 'static,
    E: From<StoreError> + Send + 'static,
    F: Future<Output = Result<T, E>> + Send + 'static,
{
    let task = tokio::spawn(work(pool.clone()));
    Box::pin(async move { task.await.unwrap_or_else(|_| Err(stopped().into())) })
}

/// The error for an answer that will not come.
fn stopped() -> StoreError {
    StoreError::Unknown(Cause::new("waiting for the database: the service stops"))
}

/// Whether a plan was carried out by a transaction that is lost. The transaction has locked the account before it wrote
/// anything, and this waits for the lock. So the transaction has ended, even if the server reads its last statements late, and a
/// "no" is final.
async fn find_call(pool: &Pool, work: &Work) -> Result<bool, StoreError> {
    let doing = "looking for a call";
    let session = Session::open(pool).await?;
    session.run(doing, "BEGIN").await?;
    let lock = include_str!("sql/lock_account.sql");
    session.execute(doing, lock, &[&work.account.0]).await?;
    let id = to_signed(work.id.number());
    let found = session
        .query(doing, include_str!("sql/find_call.sql"), &[&id])
        .await?;
    session.roll_back().await;
    Ok(!found.is_empty())
}

impl Store for Postgres {
    fn account(&self, key: KeyHash) -> Answer<Option<Authenticated>> {
        self.accounts.ask(key)
    }

    fn facts(&self, account: AccountId, asked: Asked) -> Answer<Found> {
        if asked.are_few() {
            let found = self.facts.ask((account, asked));
            return Box::pin(async move { found.await? });
        }
        let guesses = self.guesses.clone();
        self.run(move |pool| async move {
            let mut found = facts::facts(&pool, &[(account, &asked)], &guesses).await?;
            found.pop().unwrap_or_else(|| Err(stopped()))
        })
    }

    fn commit(&self, work: Work) -> Answer<Committed> {
        self.commits.commit(work)
    }

    fn in_turn(&self, again: Again) -> Answer<Turned> {
        let signals = self.signals.clone();
        // A large call holds its account's row while it is judged and carried out.
        let begins = again
            .is_large
            .then(|| self.commits.begin_large(again.account));
        self.run(move |pool| async move {
            let under_way = match begins {
                Some(begins) => Some(begins.await?),
                None => None,
            };
            let turned = turn::drive(&pool, again).await;
            if let (Some(under_way), Err(failure @ StoreError::Failed(_))) = (under_way, &turned) {
                under_way.fail(failure);
            }
            signals.give();
            turned
        })
    }

    fn claim(&self, account: AccountId, key: IdempotencyKey) -> Answer<Claim> {
        let Some(hold) = self.holds.hold(account, &key, |_, _| {}) else {
            return Box::pin(std::future::ready(Ok(Claim::Busy)));
        };
        // The key is held first and looked up afterwards, so a call that ends in between is found. A call of another process
        // that runs at the same time is found when this call is carried out.
        let kept = self.kept.ask((account, key));
        // The key is held until the answer has come, even if nobody waits for the answer any more.
        let task = tokio::spawn(async move {
            Ok(match kept.await? {
                Some(kept) => Claim::Kept(kept),
                None => Claim::Held(Arc::new(hold)),
            })
        });
        Box::pin(async move { task.await.unwrap_or_else(|_| Err(stopped())) })
    }

    fn flush_removed(&self) -> Answer<bool> {
        Box::pin(std::future::ready(Ok(true)))
    }

    fn health(&self) -> Answer<()> {
        self.run(|pool| async move {
            let session = Session::open(&pool).await?;
            session.run("asking for health", "SELECT 1").await?;
            session.close();
            Ok(())
        })
    }

    fn broken(&self) -> Pin<Box<dyn Future<Output = Cause> + Send>> {
        // A lost connection is not reported: the database can be asked again.
        Box::pin(self.broken.reported())
    }
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Postgres").finish_non_exhaustive()
    }
}
