//! The outbox on PostgreSQL: leases by the database's clock, and signals between processes.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use deadpool_postgres::Pool;
use tokio::sync::Notify;
use tokio::time::sleep;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};
use tokio_util::task::AbortOnDropHandle;

use super::failure::Doing as _;
use super::open::Server;
use super::session::{PATIENCE, Params, Session};
use super::{ATTEMPTS, Postgres};
use crate::store::Answer;
use crate::store::error::StoreError;
use crate::store::identity::AccountId;
use crate::store::operator::{OperatorError, Reply};
use crate::store::outbox::{
    Ask, Batch, Claimed, ClaimedRow, Contents, Lease, Outbox, PART, Queue, Settled, Settlement,
    Share, Wakes, Which, fields, hashes, seconds, share,
};

/// The additional time for statements about a batch.
const BATCH: Duration = Duration::from_secs(5);

const CLAIMING: &str = "claiming deliveries";
const RENEWING: &str = "renewing leases";
const SETTLING: &str = "settling deliveries";
const DOING: &str = "carrying out what the operator asked for";

/// A statement that begins with the accounts of which something is queued.
macro_rules! of_queued {
    ($sql:literal) => {
        concat!(include_str!("sql/queued.sql"), include_str!($sql))
    };
}

/// How long the listener waits before it connects again.
const RECONNECT: Duration = Duration::from_secs(2);

/// What the outbox of this process keeps.
pub(super) struct Round {
    server: Server,
    /// The account that was served last.
    after: Arc<AtomicI64>,
}

impl Round {
    pub(super) fn new(server: Server) -> Self {
        Self {
            server,
            after: Arc::default(),
        }
    }
}

impl Outbox for Postgres {
    fn claim_batch(&self, ask: Ask, without: Vec<AccountId>) -> Answer<Batch> {
        let round = Arc::clone(&self.round.after);
        let without: Vec<i64> = without.iter().map(|account| account.0).collect();
        self.run(|pool| async move {
            let after = round.load(Ordering::Relaxed);
            let (mut deliveries, mut went_to) = claim(&pool, after, ask, &without).await?;
            if deliveries.is_empty() && after > 0 {
                // The round is over: the next one begins.
                (deliveries, went_to) = claim(&pool, 0, ask, &without).await?;
            }
            round.store(went_to, Ordering::Relaxed);
            let next = match deliveries.is_empty() {
                true => next_due(&pool, &without).await?,
                false => None,
            };
            Ok(Batch { deliveries, next })
        })
    }

    fn renew(&self, leases: Vec<Lease>, time: Duration) -> Answer<HashSet<i64>> {
        self.run(move |pool| async move {
            let (ids, claims) = columns(leases.iter());
            let params: Params<'_> = &[&ids, &claims, &time.as_secs_f64()];
            let session = Session::open(&pool).await?.patient(BATCH);
            let kept = session
                .query(RENEWING, include_str!("sql/renew.sql"), params)
                .await?;
            session.close();
            numbers(&kept).doing(RENEWING)
        })
    }

    fn settle(&self, settled: Vec<Settled>) -> Answer<HashSet<i64>> {
        self.run(move |pool| async move { settle(&pool, &settled).await })
    }

    fn wakes(&self) -> Wakes {
        let work = Arc::new(Notify::new());
        let listening = listen(self.round.server.clone(), Arc::clone(&work));
        let listener = AbortOnDropHandle::new(tokio::spawn(listening));
        Wakes::new(work, Some(listener))
    }

    fn set_paused(&self, account: Option<AccountId>, paused: bool) -> Reply<()> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            if let Some(account) = account {
                let sql = include_str!("sql/pause_account.sql");
                let found = session.query(DOING, sql, &[&account.0, &paused]).await?;
                if found.is_empty() {
                    session.close();
                    return Err(OperatorError::NotFound("account"));
                }
            } else {
                let sql = include_str!("sql/pause.sql");
                session.execute(DOING, sql, &[&paused]).await?;
            }
            notify(session).await
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
            notify(session).await?;
            Ok(retried)
        })
    }

    fn cancel(&self, which: Which) -> Reply<u64> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            let sql = include_str!("sql/cancel.sql");
            let cancelled = in_parts(&session, sql, which, &[]).await?;
            session.close();
            Ok(cancelled)
        })
    }

    fn queue(&self) -> Reply<Queue> {
        self.run(|pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            let (counts, paused) = (
                include_str!("sql/queue.sql"),
                include_str!("sql/paused_accounts.sql"),
            );
            let (counts, paused) = tokio::try_join!(
                biased;
                session.query(DOING, counts, &[]),
                session.query(DOING, paused, &[]),
            )?;
            session.close();
            let paused: Result<Vec<AccountId>, Error> = paused
                .iter()
                .map(|row| row.try_get(0).map(AccountId))
                .collect();
            let row = counts.first().ok_or_else(super::operator::impossible)?;
            Ok(read_queue(row, paused.doing(DOING)?).doing(DOING)?)
        })
    }
}

/// Claims what is due of the accounts after one. Answers also with where the next batch goes on.
async fn claim(
    pool: &Pool,
    after: i64,
    ask: Ask,
    without: &[i64],
) -> Result<(Vec<Claimed>, i64), StoreError> {
    let session = Session::open(pool).await?.patient(BATCH);
    let (most, lease) = (i64::from(ask.most), ask.lease.as_secs_f64());
    let params: Params<'_> = &[&after, &most, &lease, &without];
    let ((), found) = tokio::try_join!(
        biased;
        session.run(CLAIMING, "BEGIN"),
        session.query(CLAIMING, of_queued!("sql/claim.sql"), params),
    )?;
    let found: Result<Vec<ClaimedRow>, Error> = found.iter().map(read_row).collect();
    let Share {
        rows,
        beyond,
        after,
    } = share(found.doing(CLAIMING)?, ask);
    if rows.is_empty() {
        session.roll_back().await;
        return Ok((Vec::new(), after));
    }
    let contents = contents(&session, &rows).await?;
    if !beyond.is_empty() {
        write(&session, &given_back(&beyond)).await?;
    }
    match session.commit().await {
        Err(StoreError::Unknown(cause)) => {
            // Should it be committed, others would wait for the leases to end.
            drop(settle(pool, &given_back(&rows)).await);
            return Err(StoreError::Failed(cause));
        }
        committed => committed?,
    }
    let rows = rows.into_iter();
    let claimed = rows.map(|row| row.into_claimed(&contents));
    Ok((claimed.collect(), after))
}

fn given_back(rows: &[ClaimedRow]) -> Vec<Settled> {
    let back = |row: &ClaimedRow| Settled {
        lease: row.lease,
        end: Settlement::GivenBack(Duration::ZERO, None),
    };
    rows.iter().map(back).collect()
}

fn read_row(row: &Row) -> Result<ClaimedRow, Error> {
    let content: Option<Vec<u8>> = row.try_get(13)?;
    let length: Option<i64> = row.try_get(14)?;
    Ok(ClaimedRow {
        lease: Lease {
            delivery: row.try_get(0)?,
            claim: row.try_get(15)?,
        },
        attempts: row.try_get::<_, i32>(1)?.unsigned_abs(),
        tried: row
            .try_get::<_, Option<f64>>(2)?
            .map(seconds)
            .unwrap_or_default(),
        created: row.try_get(3)?,
        account: row.try_get(4)?,
        fields: fields(row.try_get(5)?, |value| {
            String::from_utf8(BASE64_STANDARD.decode(value).ok()?).ok()
        }),
        to: row.try_get(6)?,
        from: row.try_get(7)?,
        from_name: row.try_get(8)?,
        reply_to: row.try_get(9)?,
        subject: row.try_get(10)?,
        mailer: row.try_get(11)?,
        list_unsubscribe: row.try_get(12)?,
        content: content.zip(length.map(i64::unsigned_abs)),
        secret: row.try_get(16)?,
        inactive: row.try_get(17)?,
    })
}

async fn contents(session: &Session, rows: &[ClaimedRow]) -> Result<Contents, StoreError> {
    let sql = include_str!("sql/claimed_contents.sql");
    let found = session.query(CLAIMING, sql, &[&hashes(rows)]).await?;
    let read = |row: &Row| {
        let html = String::from_utf8(row.try_get(1)?).ok();
        Ok((row.try_get(0)?, html.map(Into::into)))
    };
    let contents: Result<Contents, Error> = found.iter().map(read).collect();
    contents.doing(CLAIMING)
}

async fn next_due(pool: &Pool, without: &[i64]) -> Result<Option<Duration>, StoreError> {
    let session = Session::open(pool).await?.patient(BATCH);
    let rows = session
        .query(
            CLAIMING,
            of_queued!("sql/next_due.sql"),
            &[&0_i64, &without],
        )
        .await?;
    session.close();
    let next = rows.first().map(|row| row.try_get::<_, Option<f64>>(0));
    Ok(next.transpose().doing(CLAIMING)?.flatten().map(seconds))
}

/// Settles, again where other transactions were in the way.
async fn settle(pool: &Pool, settled: &[Settled]) -> Result<HashSet<i64>, StoreError> {
    let mut attempts = ATTEMPTS;
    loop {
        attempts = attempts.saturating_sub(1);
        let session = Session::open(pool).await?.patient(BATCH);
        match write(&session, settled).await {
            Err(StoreError::Busy(_)) if attempts > 0 => {}
            Ok(rows) => {
                session.close();
                return Ok(rows);
            }
            Err(failure) => return Err(failure),
        }
    }
}

/// A statement by itself is a transaction by itself.
async fn write(session: &Session, settled: &[Settled]) -> Result<HashSet<i64>, StoreError> {
    let (ids, claims) = columns(settled.iter().map(|settled| &settled.lease));
    let ends = || settled.iter().map(|settled| &settled.end);
    let states: Vec<&str> = ends().map(Settlement::state).collect();
    let after: Vec<f64> = ends()
        .map(|end| end.due().unwrap_or_default().as_secs_f64())
        .collect();
    let attempts: Vec<i32> = ends().map(Settlement::attempts).collect();
    let reasons: Vec<Option<&str>> = ends().map(Settlement::reason).collect();
    let params: Params<'_> = &[&ids, &claims, &states, &after, &attempts, &reasons];
    let sql = include_str!("sql/settle.sql");
    let rows = session.query(SETTLING, sql, params).await?;
    numbers(&rows).doing(SETTLING)
}

fn columns<'a>(leases: impl Iterator<Item = &'a Lease>) -> (Vec<i64>, Vec<i64>) {
    leases.map(|lease| (lease.delivery, lease.claim)).unzip()
}

fn numbers(rows: &[Row]) -> Result<HashSet<i64>, Error> {
    rows.iter().map(|row| row.try_get(0)).collect()
}

/// Changes what waits, account by account and part by part, each part in a transaction of its own. `more` are the statement's
/// parameters after its third.
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

/// Tells the workers of all processes that there may be something to claim.
async fn notify(session: Session) -> Result<(), OperatorError> {
    let sql = include_str!("sql/notify.sql");
    session.query(DOING, sql, &[]).await?;
    session.close();
    Ok(())
}

/// Listens for work, on a connection beside the pool, until it is dropped.
async fn listen(server: Server, work: Arc<Notify>) {
    loop {
        let has_listened = server.listen("franking_outbox", &work).await;
        tracing::debug!(
            has_listened,
            "no signals come from the database: connecting again"
        );
        sleep(RECONNECT).await;
    }
}

fn read_queue(row: &Row, paused_accounts: Vec<AccountId>) -> Result<Queue, Error> {
    let count = |column: usize| row.try_get::<_, i64>(column).map(i64::unsigned_abs);
    Ok(Queue {
        due: count(0)?,
        later: count(1)?,
        claimed: Some(count(2)?),
        delivered: count(3)?,
        bounced: count(4)?,
        next: row.try_get::<_, Option<f64>>(5)?.map(seconds),
        paused: row.try_get(6)?,
        paused_accounts,
    })
}
