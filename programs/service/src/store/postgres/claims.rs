//! Claims on PostgreSQL: leases by the database's clock, renewed and settled.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use deadpool_postgres::Pool;
use tokio_postgres::{Error, Row};

use super::ATTEMPTS;
use super::failure::Doing as _;
use super::session::{Params, Session};
use crate::store::claimed::{ClaimedRow, Contents, Share, fields, hashes, seconds, share};
use crate::store::clock::Clock;
use crate::store::error::StoreError;
use crate::store::outbox::{Ask, Claimed, Lease, Settled, Settlement};

/// The additional time for statements about a batch.
const BATCH: Duration = Duration::from_secs(5);

const CLAIMING: &str = "claiming deliveries";
const RENEWING: &str = "renewing leases";
const SETTLING: &str = "settling deliveries";

/// A statement that begins with the accounts that have something queued.
macro_rules! of_queued {
    ($sql:literal) => {
        concat!(include_str!("sql/queued.sql"), include_str!($sql))
    };
}
pub(super) use of_queued;

/// The time of the database's clock, except that it does not go back while this process runs.
#[derive(Clone, Default)]
pub(super) struct Time(Arc<Clock>);

impl Time {
    /// Returns the time that counts. It is `UNIX_EPOCH` as long as the clock has not been read.
    pub(super) fn now(&self) -> SystemTime {
        UNIX_EPOCH + self.0.time().unwrap_or_default()
    }

    /// As [`Time::now`], but reads the clock if it has not been read.
    async fn of(&self, session: &Session) -> Result<SystemTime, StoreError> {
        if self.0.time().is_none() {
            let sql = include_str!("sql/latest.sql");
            let rows = session.query(CLAIMING, sql, &[]).await?;
            self.shows(&rows)?;
        }
        Ok(self.now())
    }

    fn shows(&self, rows: &[Row]) -> Result<(), StoreError> {
        if let Some(row) = rows.first() {
            self.0.shows(row.try_get(0).doing(CLAIMING)?);
        }
        Ok(())
    }
}

/// The parameters of a claim.
pub(super) struct Claims {
    pub(super) ask: Ask,
    pub(super) without: Vec<i64>,
    pub(super) time: Time,
    pub(super) instance: Option<i64>,
}

impl Claims {
    /// Claims due deliveries of the accounts after `after`. Also returns the account after which the next batch begins.
    pub(super) async fn claim(
        &self,
        pool: &Pool,
        after: i64,
    ) -> Result<(Vec<Claimed>, i64), StoreError> {
        let session = Session::open(pool).await?.patient(BATCH);
        let (most, lease) = (i64::from(self.ask.most), self.ask.lease.as_secs_f64());
        let now = self.time.of(&session).await?;
        let params: Params<'_> = &[&after, &most, &lease, &self.without, &now, &self.instance];
        let ((), shown, found) = tokio::try_join!(
            biased;
            session.run(CLAIMING, "BEGIN"),
            session.query(CLAIMING, include_str!("sql/now.sql"), &[]),
            session.query(CLAIMING, of_queued!("sql/claim.sql"), params),
        )?;
        self.time.shows(&shown)?;
        let found: Result<Vec<ClaimedRow>, Error> = found.iter().map(read_row).collect();
        let Share {
            rows,
            beyond,
            after,
        } = share(found.doing(CLAIMING)?, self.ask);
        if rows.is_empty() {
            session.roll_back().await;
            return Ok((Vec::new(), after));
        }
        let contents = contents(&session, &rows).await?;
        if !beyond.is_empty() {
            write(&session, &given_back(&beyond), now).await?;
        }
        match session.commit().await {
            Err(StoreError::Unknown(cause)) => {
                // If this was committed nevertheless, others would have to wait until the leases end.
                drop(settle(pool, &given_back(&rows), now).await);
                return Err(StoreError::Failed(cause));
            }
            committed => committed?,
        }
        let rows = rows.into_iter();
        let claimed = rows.map(|row| row.into_claimed(&contents));
        Ok((claimed.collect(), after))
    }

    /// Returns the time until something is due.
    pub(super) async fn next_due(&self, pool: &Pool) -> Result<Option<Duration>, StoreError> {
        let session = Session::open(pool).await?.patient(BATCH);
        let params: Params<'_> = &[&0_i64, &self.without, &self.time.now()];
        let sql = of_queued!("sql/next_due.sql");
        let rows = session.query(CLAIMING, sql, params).await?;
        session.close();
        let next = rows.first().map(|row| row.try_get::<_, Option<f64>>(0));
        Ok(next.transpose().doing(CLAIMING)?.flatten().map(seconds))
    }
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
        unsubscribe: row.try_get(18)?,
        track_opens: row.try_get(19)?,
        track_clicks: row.try_get(20)?,
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

/// Settles deliveries. Tries again if other transactions interfered.
pub(super) async fn settle(
    pool: &Pool,
    settled: &[Settled],
    now: SystemTime,
) -> Result<HashSet<i64>, StoreError> {
    let mut attempts = ATTEMPTS;
    loop {
        attempts = attempts.saturating_sub(1);
        let session = Session::open(pool).await?.patient(BATCH);
        match write(&session, settled, now).await {
            Err(StoreError::Busy(_)) if attempts > 0 => {}
            Ok(rows) => {
                session.close();
                return Ok(rows);
            }
            Err(failure) => return Err(failure),
        }
    }
}

/// Settles deliveries by one statement, which is a transaction of its own.
async fn write(
    session: &Session,
    settled: &[Settled],
    now: SystemTime,
) -> Result<HashSet<i64>, StoreError> {
    let (ids, claims) = columns(settled.iter().map(|settled| &settled.lease));
    let ends = || settled.iter().map(|settled| &settled.end);
    let states: Vec<&str> = ends().map(Settlement::state).collect();
    let after: Vec<f64> = ends()
        .map(|end| end.due().unwrap_or_default().as_secs_f64())
        .collect();
    let attempts: Vec<i32> = ends().map(Settlement::attempts).collect();
    let reasons: Vec<Option<&str>> = ends().map(Settlement::reason).collect();
    let statuses: Vec<Option<String>> = ends().map(Settlement::status).collect();
    let may_suppress: Vec<bool> = settled.iter().map(Settled::may_suppress).collect();
    let params: Params<'_> = &[
        &ids,
        &claims,
        &states,
        &after,
        &attempts,
        &reasons,
        &statuses,
        &may_suppress,
        &now,
    ];
    let sql = include_str!("sql/settle.sql");
    let rows = session.change(SETTLING, sql, params).await?;
    numbers(&rows).doing(SETTLING)
}

fn columns<'a>(leases: impl Iterator<Item = &'a Lease>) -> (Vec<i64>, Vec<i64>) {
    leases.map(|lease| (lease.delivery, lease.claim)).unzip()
}

fn numbers(rows: &[Row]) -> Result<HashSet<i64>, Error> {
    rows.iter().map(|row| row.try_get(0)).collect()
}

/// Renews leases. Returns the deliveries whose leases hold.
pub(super) async fn renew(
    pool: &Pool,
    leases: &[Lease],
    time: Duration,
    now: SystemTime,
) -> Result<HashSet<i64>, StoreError> {
    let (ids, claims) = columns(leases.iter());
    let params: Params<'_> = &[&ids, &claims, &time.as_secs_f64(), &now];
    let session = Session::open(pool).await?.patient(BATCH);
    let sql = include_str!("sql/renew.sql");
    let kept = session.query(RENEWING, sql, params).await?;
    session.close();
    numbers(&kept).doing(RENEWING)
}
