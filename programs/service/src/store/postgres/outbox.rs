//! The outbox on PostgreSQL: leases by the database's clock, and signals between processes.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime};

use tokio::sync::oneshot;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};
use tokio_util::task::AbortOnDropHandle;

use super::claims::{self, Claims, Time, of_queued};
use super::command::given;
use super::failure::Doing as _;
use super::instance::{self, Instance};
use super::open::Server;
use super::session::{PATIENCE, Params, Session};
use super::{ATTEMPTS, Postgres};
use crate::store::Answer;
use crate::store::claimed::seconds;
use crate::store::error::StoreError;
use crate::store::identity::AccountId;
use crate::store::operator::{OperatorError, Reply};
use crate::store::outbox::{Ask, Batch, Lease, ON_ITS_WAY, Outbox, PART, Settled, Wakes, Which};
use crate::store::queue::{AccountQueue, Queue};

const DOING: &str = "carrying out what the operator asked for";

/// When at least this many deliveries were cancelled, the queue is vacuumed. Otherwise each claim would read about 500 pages
/// for the deleted rows.
const VACUUMED: u64 = 20_000;

/// The state of this process's outbox.
pub(super) struct Round {
    pub(super) server: Server,
    /// The account that was served last.
    after: Arc<AtomicI64>,
    time: Time,
    /// The name under which this process claims.
    pub(super) instance: Instance,
}

impl Round {
    pub(super) fn new(server: Server) -> Self {
        Self {
            server,
            after: Arc::default(),
            time: Time::default(),
            instance: Instance::default(),
        }
    }
}

impl Outbox for Postgres {
    fn claim_batch(&self, ask: Ask, without: Vec<AccountId>) -> Answer<Batch> {
        let round = Arc::clone(&self.round.after);
        let claims = Claims {
            ask,
            without: without.iter().map(|account| account.0).collect(),
            time: self.round.time.clone(),
            instance: self.round.instance.number(),
        };
        self.run(|pool| async move {
            let after = round.load(Ordering::Relaxed);
            let (mut deliveries, mut went_to) = claims.claim(&pool, after).await?;
            if deliveries.is_empty() && after > 0 {
                // The round is over: the next one begins.
                (deliveries, went_to) = claims.claim(&pool, 0).await?;
            }
            round.store(went_to, Ordering::Relaxed);
            let next = match deliveries.is_empty() {
                true => claims.next_due(&pool).await?,
                false => None,
            };
            Ok(Batch { deliveries, next })
        })
    }

    fn renew(&self, leases: Vec<Lease>, time: Duration) -> Answer<HashSet<i64>> {
        let now = self.round.time.now();
        self.run(move |pool| async move { claims::renew(&pool, &leases, time, now).await })
    }

    fn settle(&self, settled: Vec<Settled>) -> Answer<HashSet<i64>> {
        let now = self.round.time.now();
        self.run(move |pool| async move { claims::settle(&pool, &settled, now).await })
    }

    fn wakes(&self) -> Wakes {
        let work = Arc::clone(&self.signals.own);
        let listening = instance::listen(self.round.server.clone(), Arc::clone(&work));
        let listener = AbortOnDropHandle::new(tokio::spawn(listening));
        Wakes::new(work, Some(listener))
    }

    fn hold_name(&self, name: String) -> Answer<Option<AbortOnDropHandle<()>>> {
        let (told, first) = oneshot::channel();
        let (server, instance) = (self.round.server.clone(), self.round.instance.clone());
        let holding = instance::hold(server, name, instance, told);
        let holding = AbortOnDropHandle::new(tokio::spawn(holding));
        Box::pin(async move {
            instance::first_try(first).await;
            Ok(Some(holding))
        })
    }

    fn set_paused(&self, account: Option<AccountId>, paused: bool) -> Reply<()> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            if let Some(account) = account {
                let sql = include_str!("sql/pause_account.sql");
                let found = session.change(DOING, sql, &[&account.0, &paused]).await?;
                if found.is_empty() {
                    session.close();
                    return Err(OperatorError::NotFound("account"));
                }
            } else {
                let sql = include_str!("sql/pause.sql");
                session.change(DOING, sql, &[&paused]).await?;
            }
            notify(session).await;
            Ok(())
        })
    }

    fn retry(&self, which: Which) -> Reply<u64> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            let rows = session
                .query(DOING, include_str!("sql/now.sql"), &[])
                .await?;
            let now = rows.first().map(|row| row.try_get::<_, SystemTime>(0));
            let now = now.transpose().doing(DOING)?;
            let sql = include_str!("sql/retry.sql");
            let retried = in_parts(&session, sql, which, &[&now]).await?;
            notify(session).await;
            Ok(retried)
        })
    }

    fn cancel(&self, which: Which) -> Reply<u64> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            let sql = include_str!("sql/cancel.sql");
            let cancelled = in_parts(&session, sql, which, &[]).await?;
            match cancelled < VACUUMED {
                true => session.close(),
                false => vacuum(session).await,
            }
            Ok(cancelled)
        })
    }

    fn resend(&self, delivery: i64) -> Reply<()> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            let sql = include_str!("sql/resend.sql");
            let params: Params<'_> = &[&delivery, &ON_ITS_WAY.as_secs_f64()];
            let rows = session.change(DOING, sql, params).await?;
            let row = rows.first().ok_or(OperatorError::NotFound("delivery"))?;
            let flag = |column| row.try_get::<_, bool>(column).doing(DOING);
            let (waits, is_stored, is_on_its_way) = (flag(0)?, flag(1)?, flag(2)?);
            notify(session).await;
            match (waits, is_stored, is_on_its_way) {
                (true, _, _) => Err(OperatorError::StillQueued),
                (false, false, _) => Err(OperatorError::ContentGone),
                (false, true, true) => Err(OperatorError::OnItsWay),
                (false, true, false) => Ok(()),
            }
        })
    }

    fn queue(&self, at_most: u32) -> Reply<Queue> {
        self.look(move |pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            let (sql, at_most) = (of_queued!("sql/queue.sql"), i64::from(at_most));
            let waiting = session.query(DOING, sql, &[&0_i64, &at_most]).await?;
            session.close();
            let waiting = waiting.iter().map(read_waiting);
            let accounts = waiting.collect::<Result<_, Error>>().doing(DOING)?;
            Ok(Queue { accounts })
        })
    }

    fn waiting_reasons(&self, at_most: u32) -> Reply<Vec<(String, i64)>> {
        let sql = of_queued!("sql/waiting_reasons.sql");
        self.ask(sql, given![0_i64, i64::from(at_most)], |rows| {
            let read = |row: &Row| Ok((row.try_get(0)?, row.try_get(1)?));
            let read: Result<Vec<_>, Error> = rows.iter().map(read).collect();
            Ok(read.doing(DOING)?)
        })
    }
}

/// Removes the index entries of deleted rows from the queue. Until then, each claim of every account reads past these
/// entries. If this fails, autovacuum removes them later.
async fn vacuum(session: Session) {
    let done = session.run(
        "vacuuming the queue",
        "VACUUM (SKIP_LOCKED, TRUNCATE FALSE) queue",
    );
    if done.await.is_ok() {
        session.close();
    }
}

/// Changes waiting deliveries, account by account and part by part, each part in a transaction of its own. `more` are the
/// statement's parameters after the third.
async fn in_parts(
    session: &Session,
    sql: &str,
    which: Which,
    more: Params<'_>,
) -> Result<u64, StoreError> {
    let (of, call, part) = (which.account(), which.call(), i64::from(PART));
    let accounts = of_queued!("sql/queued_accounts.sql");
    let accounts = session
        .query(DOING, accounts, &[&0_i64, &of, &call])
        .await?;
    let mut total = 0_u64;
    let mut attempts = ATTEMPTS;
    for row in &accounts {
        let account: i64 = row.try_get(0).doing(DOING)?;
        let mut params: Vec<&(dyn ToSql + Sync)> = vec![&account, &call, &part];
        params.extend(more);
        loop {
            match session.execute(DOING, sql, &params).await {
                Ok(changed) => {
                    total = total.saturating_add(changed);
                    if changed < u64::from(PART) {
                        break;
                    }
                }
                Err(StoreError::Busy(_)) if attempts > 0 => attempts = attempts.saturating_sub(1),
                Err(failure) => return Err(failure),
            }
        }
    }
    Ok(total)
}

/// Tells the workers of all processes that there may be something to claim. If this fails, they find it when they next look
/// for work.
async fn notify(session: Session) {
    let sql = include_str!("sql/notify.sql");
    if session.query(DOING, sql, &[]).await.is_ok() {
        session.close();
    }
}

fn read_waiting(row: &Row) -> Result<AccountQueue, Error> {
    let count = |column: usize| row.try_get::<_, i64>(column).map(i64::unsigned_abs);
    let since = |column: usize| {
        let time = row.try_get::<_, Option<f64>>(column)?;
        Ok::<_, Error>(time.filter(|time| *time >= 0.0).map(seconds))
    };
    Ok(AccountQueue {
        account: AccountId(row.try_get(0)?),
        is_paused: row.try_get(1)?,
        due: count(2)?,
        later: count(3)?,
        claimed: Some(count(4)?),
        oldest: since(5)?,
        next: since(6)?,
    })
}
