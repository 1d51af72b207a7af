//! Reports and suppressions on SQLite.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::Sqlite;
use super::carry_out::execute;
use super::events;
use super::failure::Doing as _;
use super::writer::Written;
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

impl Reports for Sqlite {
    fn keep_report(&self, report: NewReport) -> Answer<KeptReport> {
        self.write(move |connection| keep(connection, &report))
    }

    fn judge(&self, rule: SuppressionRule, at_most: u32) -> Answer<u64> {
        let writer = Arc::clone(&self.writer);
        let checks = self.readers.served.read(move |connection| {
            let sql = include_str!("sql/select_checks.sql");
            let read = |row: &Row<'_>| Ok((AccountId(row.get(0)?), row.get(1)?));
            rows(connection, sql, params![at_most], read).doing(JUDGING)
        });
        Box::pin(async move {
            let checks: Vec<(AccountId, i64)> = checks.await?;
            // Usually there is nothing to do, and nobody has to wait for the writer.
            if checks.is_empty() {
                return Ok(0);
            }
            let judged = writer.run(move |connection| {
                let mut all = checks.iter();
                let tells = all.try_for_each(|(account, subscriber)| {
                    judge(connection, *account, *subscriber, rule)
                });
                Written {
                    keeps: tells.is_ok(),
                    rows: checks.len(),
                    tells: tells.map(|()| checks.len() as u64),
                }
            });
            judged.await
        })
    }

    fn undo_report(&self, id: i64, why: String, rule: SuppressionRule) -> Reply<()> {
        self.write(move |connection| undo(connection, id, &why, rule))
    }

    fn reports(&self, after: i64, at_most: u32) -> Reply<Vec<ReportRow>> {
        self.readers.operators.read(move |connection| {
            let sql = include_str!("sql/select_reports.sql");
            let read = rows(connection, sql, params![after, at_most], read_report);
            Ok(read.doing("listing reports")?)
        })
    }

    fn lift(&self, account: AccountId, subscriber: u64, why: String) -> Reply<bool> {
        self.write(move |connection| {
            let subscriber = to_signed(subscriber);
            match lift(connection, account, subscriber, None, &why, None)? {
                None => Err(OperatorError::NotFound("suppression in force")),
                Some(is_active) => Ok(is_active),
            }
        })
    }
}

impl Sqlite {
    pub(super) fn write<T, E>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Answer<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.writer.run(move |connection| {
            let tells = work(connection);
            Written {
                keeps: tells.is_ok(),
                rows: 1,
                tells,
            }
        })
    }
}

pub(super) fn rows<T>(
    connection: &Connection,
    sql: &str,
    params: &[&dyn rusqlite::ToSql],
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_map(params, read)?.collect()
}

pub(super) fn row<T>(
    connection: &Connection,
    sql: &str,
    params: &[&dyn rusqlite::ToSql],
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Option<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_row(params, read).optional()
}

/// The error for a row that has to be there and is not.
fn impossible() -> StoreError {
    StoreError::Failed(Cause::new("reading a row that has to be there"))
}

fn keep(connection: &Connection, report: &NewReport) -> Result<KeptReport, StoreError> {
    let delivery = match &report.original {
        Original::ReturnPath(delivery) => Some(*delivery),
        Original::MessageId(id) => {
            let sql = include_str!("sql/select_secret.sql");
            let secret = row(connection, sql, params![], |row| row.get::<_, Vec<u8>>(0));
            message_id::read(&secret.doing(KEEPING)?.ok_or_else(impossible)?, id)
        }
        Original::Unknown => None,
    };
    let read = |is_new| {
        move |row: &Row<'_>| {
            Ok(KeptReport {
                id: row.get(0)?,
                delivery: row.get(1)?,
                is_new,
            })
        }
    };
    let params = params![
        report.digest,
        report.kind.name(),
        report.status(),
        report.reason(),
        report.original.found_by(),
        delivery,
    ];
    let sql = include_str!("sql/insert_report.sql");
    let kept = row(connection, sql, params, read(true)).doing(KEEPING)?;
    let Some(kept) = kept else {
        let sql = include_str!("sql/find_report.sql");
        let kept = row(connection, sql, params![report.digest], read(false)).doing(KEEPING)?;
        return kept.ok_or_else(impossible);
    };
    if let Some(delivery) = kept.delivery
        && let Some((mut event, _)) = events_of(report.kind, delivery, kept.id)
    {
        event.reason.clone_from(&report.reason);
        events::record(connection, &[event])?;
    }
    Ok(kept)
}

fn past_events(
    connection: &Connection,
    account: AccountId,
    subscriber: i64,
) -> Result<Vec<Read>, StoreError> {
    let sql = include_str!("sql/past_events.sql");
    let read = rows(connection, sql, params![account.0, subscriber], |row| {
        let kind: String = row.get(0)?;
        let (numbers, texts) = ((row.get(1)?, row.get(2)?), (row.get(3)?, row.get(4)?));
        Ok(Read::new(&kind, numbers, texts, row.get(5)?))
    });
    Ok(read.doing(JUDGING)?.into_iter().flatten().collect())
}

fn judge(
    connection: &Connection,
    account: AccountId,
    subscriber: i64,
    rule: SuppressionRule,
) -> Result<(), StoreError> {
    let of = params![account.0, subscriber];
    execute(
        connection,
        JUDGING,
        include_str!("sql/delete_checks.sql"),
        of,
    )?;
    let past = past_events(connection, account, subscriber)?;
    let now = row(connection, include_str!("sql/now.sql"), params![], |row| {
        row.get(0)
    });
    let now: i64 = now.doing(JUDGING)?.ok_or_else(impossible)?;
    for cause in SuppressionCause::ALL {
        let Some(event) = cause.is_in(&past, rule, now) else {
            continue;
        };
        let report = event.past.report;
        let sql = include_str!("sql/insert_suppression.sql");
        let params = params![
            account.0,
            subscriber,
            cause.name(),
            report,
            event.status,
            event.reason
        ];
        if execute(connection, JUDGING, sql, params)? > 0 {
            let sql = include_str!("sql/update_inactive.sql");
            let params = params![account.0, subscriber, true];
            row(connection, sql, params, |_| Ok(())).doing(JUDGING)?;
            events::record(connection, &[cause.event(account, subscriber, report)])?;
        }
    }
    Ok(())
}

fn undo(
    connection: &Connection,
    id: i64,
    why: &str,
    rule: SuppressionRule,
) -> Result<(), OperatorError> {
    let sql = include_str!("sql/undo_report.sql");
    let undone = row(connection, sql, params![id, why], |row| {
        let kind: String = row.get(0)?;
        let account: Option<i64> = row.get(1)?;
        Ok((
            KeptKind::of(&kind),
            account.map(AccountId),
            row.get(2)?,
            row.get(3)?,
        ))
    });
    let undone = undone.doing(UNDOING)?;
    let (kind, account, subscriber, delivery) =
        undone.ok_or(OperatorError::NotFound("report that is not undone"))?;
    let (Some(kind), Some(account), Some(subscriber), Some(delivery)) =
        (kind, account, subscriber, delivery)
    else {
        return Ok(());
    };
    let Some((_, event)) = events_of(kind, delivery, id) else {
        return Ok(());
    };
    let sql = include_str!("sql/report_stands.sql");
    let stands = row(connection, sql, params![delivery, kind.name()], |row| {
        row.get(0)
    });
    if stands.doing(UNDOING)?.ok_or_else(impossible)? {
        return Ok(());
    }
    events::record(connection, &[event])?;
    let past = past_events(connection, account, subscriber)?;
    let sql = include_str!("sql/suppressions_in_force.sql");
    let in_force = rows(connection, sql, params![account.0, subscriber], |row| {
        Ok((row.get::<_, String>(0)?, row.get(1)?))
    });
    for (name, created) in in_force.doing(UNDOING)? {
        let causes = SuppressionCause::ALL.into_iter();
        for cause in causes.filter(|cause| cause.name() == name) {
            if cause.is_in(&past, rule, created).is_none() {
                lift(connection, account, subscriber, Some(cause), why, Some(id))?;
            }
        }
    }
    Ok(())
}

/// Lifts the suppressions of a subscriber for a cause, or all of them. Returns whether the subscriber is active again, or
/// `None` if there was no suppression.
fn lift(
    connection: &Connection,
    account: AccountId,
    subscriber: i64,
    cause: Option<SuppressionCause>,
    why: &str,
    report: Option<i64>,
) -> Result<Option<bool>, StoreError> {
    let sql = include_str!("sql/lift_suppressions.sql");
    let cause = cause.map(SuppressionCause::name);
    let params = params![account.0, subscriber, cause, why];
    let were_active = rows(connection, sql, params, |row| row.get(0)).doing(UNDOING)?;
    let Some(was_active) = were_active.into_iter().reduce(|one, other| one || other) else {
        return Ok(None);
    };
    let mut is_active = false;
    if was_active {
        let sql = include_str!("sql/activate.sql");
        is_active = execute(connection, UNDOING, sql, params![account.0, subscriber])? > 0;
    }
    events::record(connection, &[lifted(account, subscriber, why, report)])?;
    Ok(Some(is_active))
}

fn read_report(row: &Row<'_>) -> rusqlite::Result<ReportRow> {
    let (account, subscriber, delivery): (Option<i64>, Option<i64>, Option<i64>) =
        (row.get(6)?, row.get(7)?, row.get(8)?);
    Ok(ReportRow {
        id: row.get(0)?,
        received: row.get(1)?,
        kind: row.get(2)?,
        status: row.get(3)?,
        reason: row.get(4)?,
        matched: row.get(5)?,
        email: account
            .zip(subscriber)
            .zip(delivery)
            .map(|((account, subscriber), delivery)| (AccountId(account), subscriber, delivery)),
        undone: row.get(9)?,
    })
}
