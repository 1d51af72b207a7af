//! Events on PostgreSQL, which are numbered after their commit.

use tokio_postgres::{Error, Row};

use super::failure::Doing as _;
use super::session::{Params, Session, one};
use super::{ATTEMPTS, Postgres};
use crate::store::Answer;
use crate::store::error::StoreError;
use crate::store::events::{EventPage, EventRow, Events, NewEvent, ReadEvents, once};
use crate::store::identity::{AccountId, CallId};

const RECORDING: &str = "recording events";
const NUMBERING: &str = "numbering events";
const READING: &str = "reading events";

/// The advisory lock of the process that numbers events.
const LOCK: i64 = 0x6672_616e_6b65_7674;

impl Events for Postgres {
    fn record(&self, events: Vec<NewEvent>) -> Answer<u64> {
        self.run(move |pool| async move {
            let mut attempts = ATTEMPTS;
            loop {
                attempts = attempts.saturating_sub(1);
                let session = Session::open(&pool).await?;
                // A single statement is a transaction of its own.
                match record(&session, &events).await {
                    Err(StoreError::Busy(_)) if attempts > 0 => {}
                    Ok(added) => {
                        session.close();
                        return Ok(added);
                    }
                    Err(failure) => return Err(failure),
                }
            }
        })
    }

    fn number_events(&self, at_most: u32) -> Answer<u64> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?;
            // Usually there is nothing to do, and no transaction begins.
            let sql = include_str!("sql/has_unnumbered.sql");
            if !one::<bool>(&session, NUMBERING, sql, &[]).await? {
                session.close();
                return Ok(0);
            }
            session.run(NUMBERING, "BEGIN").await?;
            let sql = include_str!("sql/try_lock_for_transaction.sql");
            if !one::<bool>(&session, NUMBERING, sql, &[&LOCK]).await? {
                session.roll_back().await;
                return Ok(0);
            }
            // A separate statement sees what was committed before the lock was taken.
            let (sql, most) = (include_str!("sql/number_events.sql"), i64::from(at_most));
            let numbered: i64 = one(&session, NUMBERING, sql, &[&most]).await?;
            session.commit().await?;
            Ok(numbered.unsigned_abs())
        })
    }

    fn events(&self, account: AccountId, after: Option<i64>, at_most: u32) -> Answer<EventPage> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?;
            let sql = include_str!("sql/select_events.sql");
            let params: Params<'_> = &[&account.0, &after.unwrap_or(0), &i64::from(at_most)];
            let rows = session.query(READING, sql, params).await?;
            session.close();
            Ok(read_events(&rows).doing(READING)?.page(after, at_most))
        })
    }

    fn last_event(&self) -> Answer<i64> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?;
            let sql = include_str!("sql/last_event.sql");
            let last = one(&session, READING, sql, &[]).await?;
            session.close();
            Ok(last)
        })
    }
}

/// Reads events, with their bounds. The bounds are in each row, and there is always a row.
fn read_events(rows: &[Row]) -> Result<ReadEvents, Error> {
    let mut read = ReadEvents {
        gone: 0,
        last: 0,
        events: Vec::with_capacity(rows.len()),
    };
    for row in rows {
        (read.gone, read.last) = (row.try_get(0)?, row.try_get(1)?);
        read.events.extend(read_event(row)?);
    }
    Ok(read)
}

/// Reads the event of a row. Returns `None` for the row that is there even if there are no events.
pub(super) fn read_event(row: &Row) -> Result<Option<EventRow>, Error> {
    let Some(number) = row.try_get(2)? else {
        return Ok(None);
    };
    let call: Option<i64> = row.try_get(4)?;
    let custom_field: Option<Vec<u8>> = row.try_get(5)?;
    Ok(Some(EventRow {
        number,
        kind: row.try_get(3)?,
        call: call.and_then(|call| CallId::from_number(call.unsigned_abs())),
        custom_field: custom_field.and_then(|text| String::from_utf8(text).ok()),
        recipient: row.try_get(6)?,
        status: row.try_get(7)?,
        reason: row.try_get(8)?,
        happened: row.try_get(9)?,
    }))
}

/// Adds events within a transaction, and sets the outcomes of their deliveries. Returns how many were new.
pub(super) async fn record(session: &Session, events: &[NewEvent]) -> Result<u64, StoreError> {
    let events = once(events);
    fn column<T>(events: &[&NewEvent], read: impl Fn(&NewEvent) -> T) -> Vec<T> {
        events.iter().map(|event| read(event)).collect()
    }
    let accounts = column(&events, NewEvent::account);
    let subscribers = column(&events, NewEvent::subscriber);
    let deliveries = column(&events, NewEvent::delivery);
    let kinds = column(&events, |event| event.kind.name());
    let sets = column(&events, |event| event.bits().0);
    let clears = column(&events, |event| event.bits().1);
    let statuses = column(&events, NewEvent::status);
    let reasons = column(&events, |event| event.reason().map(str::to_owned));
    let reports = column(&events, |event| event.report);
    let times = column(&events, |event| event.happened);
    let may_suppress = column(&events, NewEvent::may_suppress);
    let params: Params<'_> = &[
        &accounts,
        &subscribers,
        &deliveries,
        &kinds,
        &sets,
        &clears,
        &statuses,
        &reasons,
        &reports,
        &times,
        &may_suppress,
    ];
    let sql = include_str!("sql/insert_events.sql");
    session.execute(RECORDING, sql, params).await
}
