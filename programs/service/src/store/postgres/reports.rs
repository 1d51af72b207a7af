//! Reports and suppressions on PostgreSQL.

use std::pin::Pin;
use std::time::SystemTime;

use deadpool_postgres::Pool;
use tokio_postgres::{Error, Row};

use super::events;
use super::failure::Doing as _;
use super::session::{PATIENCE, Params, Session, one};
use super::{ATTEMPTS, Postgres};
use crate::outcomes::SuppressionRule;
use crate::store::Answer;
use crate::store::asked::to_signed;
use crate::store::error::{Cause, StoreError};
use crate::store::identity::AccountId;
use crate::store::message_id;
use crate::store::operator::{OperatorError, Reply};
use crate::store::reports::{
    KeptKind, KeptReport, NewReport, Original, Read, ReportRow, Reports, SuppressionCause,
    events_of, lifted,
};

const KEEPING: &str = "keeping a report";
const JUDGING: &str = "judging a subscriber";
const UNDOING: &str = "undoing a report";
const LISTING: &str = "listing reports and suppressions";

/// Work on a borrowed connection.
pub(super) type Work<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Does work in a transaction of its own. Tries again if other transactions interfered.
pub(super) async fn in_transaction<T, G>(
    pool: &Pool,
    given: G,
    work: for<'a> fn(&'a Session, &'a G) -> Work<'a, T>,
) -> Result<T, StoreError> {
    let mut attempts = ATTEMPTS;
    loop {
        attempts = attempts.saturating_sub(1);
        let session = Session::open(pool).await?.patient(PATIENCE);
        session.run("beginning a transaction", "BEGIN").await?;
        match work(&session, &given).await {
            Ok(done) => {
                session.commit().await?;
                return Ok(done);
            }
            Err(failure) => {
                session.roll_back().await;
                if attempts == 0 || !matches!(failure, StoreError::Busy(_)) {
                    return Err(failure);
                }
            }
        }
    }
}

impl Reports for Postgres {
    fn keep_report(&self, report: NewReport) -> Answer<KeptReport> {
        self.run(move |pool| async move {
            in_transaction(&pool, report, |session, report| {
                Box::pin(keep(session, report))
            })
            .await
        })
    }

    fn judge(&self, rule: SuppressionRule, at_most: u32) -> Answer<u64> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?;
            let (sql, most) = (include_str!("sql/select_checks.sql"), i64::from(at_most));
            let checks = session.query(JUDGING, sql, &[&most]).await?;
            session.close();
            let read = |row: &Row| Ok((AccountId(row.try_get(0)?), row.try_get(1)?));
            let checks: Result<Vec<(AccountId, i64)>, Error> = checks.iter().map(read).collect();
            let checks = checks.doing(JUDGING)?;
            let judged = checks.len() as u64;
            for (account, subscriber) in checks {
                let given = (account, subscriber, rule);
                in_transaction(&pool, given, |session, (account, subscriber, rule)| {
                    Box::pin(judge(session, *account, *subscriber, *rule))
                })
                .await?;
            }
            Ok(judged)
        })
    }

    fn undo_report(&self, id: i64, why: String, rule: SuppressionRule) -> Reply<()> {
        self.run(move |pool| async move {
            let undone = in_transaction(&pool, (id, why, rule), |session, (id, why, rule)| {
                Box::pin(undo(session, *id, why, *rule))
            });
            let missing = OperatorError::NotFound("report that is not undone");
            undone.await?.ok_or(missing)
        })
    }

    fn reports(&self, after: i64, at_most: u32) -> Reply<Vec<ReportRow>> {
        self.look(move |pool| async move {
            let (sql, most) = (include_str!("sql/select_reports.sql"), i64::from(at_most));
            Ok(list(&pool, sql, &[&after, &most], read_report).await?)
        })
    }

    fn lift(&self, account: AccountId, subscriber: u64, why: String) -> Reply<bool> {
        self.run(move |pool| async move {
            let given = (account, to_signed(subscriber), why);
            let is_active = in_transaction(&pool, given, |session, (account, subscriber, why)| {
                Box::pin(async move {
                    lock(session, *account).await?;
                    lift(session, (*account, *subscriber), None, why, None).await
                })
            });
            let missing = OperatorError::NotFound("suppression in force");
            is_active.await?.ok_or(missing)
        })
    }
}

pub(super) async fn list<T>(
    pool: &Pool,
    sql: &str,
    params: Params<'_>,
    read: impl Fn(&Row) -> Result<T, Error>,
) -> Result<Vec<T>, StoreError> {
    let session = Session::open(pool).await?.patient(PATIENCE);
    let rows = session.query(LISTING, sql, params).await?;
    session.close();
    let read: Result<Vec<T>, Error> = rows.iter().map(read).collect();
    read.doing(LISTING)
}

/// Locks the account, so that its subscribers are changed by one transaction at a time.
async fn lock(session: &Session, account: AccountId) -> Result<(), StoreError> {
    let sql = include_str!("sql/lock_account.sql");
    session.query(UNDOING, sql, &[&account.0]).await.map(drop)
}

async fn keep(session: &Session, report: &NewReport) -> Result<KeptReport, StoreError> {
    let delivery = match &report.original {
        Original::ReturnPath(delivery) => Some(*delivery),
        Original::MessageId(id) => {
            let sql = include_str!("sql/select_secret.sql");
            let secret: Vec<u8> = one(session, KEEPING, sql, &[]).await?;
            message_id::read(&secret, id)
        }
        Original::Unknown => None,
    };
    let digest = report.digest.as_slice();
    let params: Params<'_> = &[
        &digest,
        &report.kind.name(),
        &report.status(),
        &report.reason(),
        &report.original.found_by(),
        &delivery,
    ];
    let sql = include_str!("sql/insert_report.sql");
    let mut rows = session.query(KEEPING, sql, params).await?;
    let is_new = !rows.is_empty();
    if !is_new {
        let sql = include_str!("sql/find_report.sql");
        rows = session.query(KEEPING, sql, &[&digest]).await?;
    }
    let impossible = StoreError::Failed(Cause::new("keeping a report: it was not stored"));
    let row = rows.first().ok_or(impossible)?;
    let read = || {
        Ok(KeptReport {
            id: row.try_get(0)?,
            delivery: row.try_get(1)?,
            is_new,
        })
    };
    let kept = read().doing(KEEPING)?;
    if kept.is_new
        && let Some(delivery) = kept.delivery
        && let Some((mut event, _)) = events_of(report.kind, delivery, kept.id)
    {
        event.reason.clone_from(&report.reason);
        events::record(session, &[event]).await?;
    }
    Ok(kept)
}

async fn past_events(
    session: &Session,
    account: AccountId,
    subscriber: i64,
) -> Result<Vec<Read>, StoreError> {
    let sql = include_str!("sql/past_events.sql");
    let rows = session
        .query(JUDGING, sql, &[&account.0, &subscriber])
        .await?;
    let read = |row: &Row| {
        let numbers = (row.try_get(1)?, row.try_get(2)?);
        let texts = (row.try_get(3)?, row.try_get(4)?);
        Ok(Read::new(row.try_get(0)?, numbers, texts, row.try_get(5)?))
    };
    let read: Result<Vec<Option<Read>>, Error> = rows.iter().map(read).collect();
    Ok(read.doing(JUDGING)?.into_iter().flatten().collect())
}

async fn judge(
    session: &Session,
    account: AccountId,
    subscriber: i64,
    rule: SuppressionRule,
) -> Result<(), StoreError> {
    lock(session, account).await?;
    let sql = include_str!("sql/delete_checks.sql");
    session
        .execute(JUDGING, sql, &[&account.0, &subscriber])
        .await?;
    // A separate statement sees the event of each check that was deleted.
    let past = past_events(session, account, subscriber).await?;
    let now: SystemTime = one(session, JUDGING, include_str!("sql/now.sql"), &[]).await?;
    let now = now.duration_since(SystemTime::UNIX_EPOCH);
    let now = now.map_or(0, |now| to_signed(now.as_secs()));
    for cause in SuppressionCause::ALL {
        let Some(event) = cause.is_in(&past, rule, now) else {
            continue;
        };
        let report = event.past.report;
        let params: Params<'_> = &[
            &account.0,
            &subscriber,
            &cause.name(),
            &report,
            &event.status,
            &event.reason,
        ];
        let sql = include_str!("sql/insert_suppression.sql");
        if session.execute(JUDGING, sql, params).await? > 0 {
            let sql = include_str!("sql/update_inactive.sql");
            let params: Params<'_> = &[&account.0, &subscriber, &true];
            session.query(JUDGING, sql, params).await?;
            events::record(session, &[cause.event(account, subscriber, report)]).await?;
        }
    }
    Ok(())
}

/// Undoes a report. Returns `None` if there is no such report, or if it was undone before.
async fn undo(
    session: &Session,
    id: i64,
    why: &str,
    rule: SuppressionRule,
) -> Result<Option<()>, StoreError> {
    let sql = include_str!("sql/undo_report.sql");
    let rows = session.query(UNDOING, sql, &[&id, &why]).await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let read = || {
        let kind = KeptKind::of(row.try_get(0)?);
        let account: Option<i64> = row.try_get(1)?;
        Ok((
            kind,
            account.map(AccountId),
            row.try_get(2)?,
            row.try_get(3)?,
        ))
    };
    let (Some(kind), Some(account), Some(subscriber), Some(delivery)) = read().doing(UNDOING)?
    else {
        return Ok(Some(()));
    };
    let Some((_, event)) = events_of(kind, delivery, id) else {
        return Ok(Some(()));
    };
    lock(session, account).await?;
    let sql = include_str!("sql/report_stands.sql");
    if one(session, UNDOING, sql, &[&delivery, &kind.name()]).await? {
        return Ok(Some(()));
    }
    events::record(session, &[event]).await?;
    let past = past_events(session, account, subscriber).await?;
    let sql = include_str!("sql/suppressions_in_force.sql");
    let in_force = session
        .query(UNDOING, sql, &[&account.0, &subscriber])
        .await?;
    for row in &in_force {
        let name: &str = row.try_get(0).doing(UNDOING)?;
        let created = row.try_get(1).doing(UNDOING)?;
        let causes = SuppressionCause::ALL.into_iter();
        for cause in causes.filter(|cause| cause.name() == name) {
            if cause.is_in(&past, rule, created).is_none() {
                lift(session, (account, subscriber), Some(cause), why, Some(id)).await?;
            }
        }
    }
    Ok(Some(()))
}

/// Lifts the suppressions of a subscriber for a cause, or all of them. Returns whether the subscriber is active again, or
/// `None` if there was no suppression.
async fn lift(
    session: &Session,
    (account, subscriber): (AccountId, i64),
    cause: Option<SuppressionCause>,
    why: &str,
    report: Option<i64>,
) -> Result<Option<bool>, StoreError> {
    let cause = cause.map(SuppressionCause::name);
    let sql = include_str!("sql/lift_suppressions.sql");
    let params: Params<'_> = &[&account.0, &subscriber, &cause, &why];
    let rows = session.query(UNDOING, sql, params).await?;
    let were_active: Result<Vec<bool>, Error> = rows.iter().map(|row| row.try_get(0)).collect();
    let were_active = were_active.doing(UNDOING)?.into_iter();
    let Some(was_active) = were_active.reduce(|one, other| one || other) else {
        return Ok(None);
    };
    let mut is_active = false;
    if was_active {
        let sql = include_str!("sql/activate.sql");
        let params: Params<'_> = &[&account.0, &subscriber];
        is_active = session.execute(UNDOING, sql, params).await? > 0;
    }
    events::record(session, &[lifted(account, subscriber, why, report)]).await?;
    Ok(Some(is_active))
}

fn read_report(row: &Row) -> Result<ReportRow, Error> {
    let (account, subscriber, delivery): (Option<i64>, Option<i64>, Option<i64>) =
        (row.try_get(6)?, row.try_get(7)?, row.try_get(8)?);
    Ok(ReportRow {
        id: row.try_get(0)?,
        received: row.try_get(1)?,
        kind: row.try_get(2)?,
        status: row.try_get(3)?,
        reason: row.try_get(4)?,
        matched: row.try_get(5)?,
        email: account
            .zip(subscriber)
            .zip(delivery)
            .map(|((account, subscriber), delivery)| (AccountId(account), subscriber, delivery)),
        undone: row.try_get(9)?,
    })
}
