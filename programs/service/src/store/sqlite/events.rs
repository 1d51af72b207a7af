//! Events on SQLite. They have numbers from the beginning, because one transaction writes at a time.

use rusqlite::{Connection, Row, params};
use serde_json::json;

use super::Sqlite;
use super::carry_out::{array, execute, query_row};
use super::failure::Doing as _;
use super::reports::rows;
use super::writer::Written;
use crate::store::Answer;
use crate::store::error::StoreError;
use crate::store::events::{EventPage, EventRow, Events, NewEvent, ReadEvents, once, outcomes};
use crate::store::identity::{AccountId, CallId};

const RECORDING: &str = "recording events";
const READING: &str = "reading events";

impl Events for Sqlite {
    fn record(&self, events: Vec<NewEvent>) -> Answer<u64> {
        self.writer.run(move |connection| {
            let recorded = record(connection, &events);
            Written {
                keeps: recorded.is_ok(),
                rows: events.len(),
                tells: recorded.map(|added| added as u64),
            }
        })
    }

    fn number_events(&self, _: u32) -> Answer<u64> {
        Box::pin(std::future::ready(Ok(0)))
    }

    fn events(&self, account: AccountId, after: Option<i64>, at_most: u32) -> Answer<EventPage> {
        self.readers.served.read(move |connection| {
            let sql = include_str!("sql/select_events.sql");
            let params = params![account.0, after.unwrap_or(0), at_most];
            let mut bounds = (0, 0);
            let read = rows(connection, sql, params, |row| {
                bounds = (row.get(0)?, row.get(1)?);
                read_event(row)
            });
            let (gone, last) = bounds;
            let events = read.doing(READING)?.into_iter().flatten().collect();
            Ok(ReadEvents { gone, last, events }.page(after, at_most))
        })
    }

    fn last_event(&self) -> Answer<i64> {
        self.readers.served.read(move |connection| {
            let sql = include_str!("sql/last_event.sql");
            query_row(connection, READING, sql, params![], |row| row.get(0))
        })
    }
}

/// Reads the event of a row. Returns `None` for the row that is there even if there are no events.
pub(super) fn read_event(row: &Row<'_>) -> rusqlite::Result<Option<EventRow>> {
    let Some(number) = row.get(2)? else {
        return Ok(None);
    };
    let call: Option<i64> = row.get(4)?;
    Ok(Some(EventRow {
        number,
        kind: row.get(3)?,
        call: call.and_then(|call| CallId::from_number(call.unsigned_abs())),
        custom_field: row.get(5)?,
        recipient: row.get(6)?,
        status: row.get(7)?,
        reason: row.get(8)?,
        happened: row.get(9)?,
    }))
}

/// Adds events within a transaction, and sets the outcomes of their deliveries. Returns how many were new.
pub(super) fn record(connection: &Connection, events: &[NewEvent]) -> Result<usize, StoreError> {
    let events = once(events);
    let rows = events.iter().map(|event| {
        let (sets, clears) = event.bits();
        json!([
            event.account(),
            event.subscriber(),
            event.delivery(),
            event.kind.name(),
            sets,
            clears,
            event.status(),
            event.reason(),
            event.report,
            event.happened,
            event.may_suppress(),
        ])
    });
    let rows = array(rows);
    let sql = include_str!("sql/insert_events.sql");
    let added = execute(connection, RECORDING, sql, params![rows])?;
    if added > 0 {
        // One statement has added the events, so their numbers are consecutive.
        let last = connection.last_insert_rowid();
        let first = last.saturating_sub(added as i64).saturating_add(1);
        for sql in [
            include_str!("sql/count_added_events.sql"),
            include_str!("sql/count_all_added_events.sql"),
        ] {
            execute(connection, RECORDING, sql, params![first, last])?;
        }
    }
    if events.iter().any(|event| event.may_suppress()) {
        let sql = include_str!("sql/insert_checks.sql");
        execute(connection, RECORDING, sql, params![rows])?;
    }
    let outcomes = outcomes(&events);
    if added > 0 && !outcomes.is_empty() {
        let rows = outcomes
            .iter()
            .map(|(id, (sets, clears))| json!([id, sets, clears]));
        let sql = include_str!("sql/update_outcomes.sql");
        execute(connection, RECORDING, sql, params![array(rows)])?;
    }
    Ok(added)
}
