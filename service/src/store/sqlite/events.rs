//! Events on SQLite, which have their numbers from the beginning: one transaction writes at a time.

use rusqlite::{Connection, params};
use serde_json::json;

use super::Sqlite;
use super::carry_out::{array, execute};
use super::writer::Written;
use crate::store::Answer;
use crate::store::error::StoreError;
use crate::store::events::{Events, NewEvent, once, outcomes};

const RECORDING: &str = "recording events";

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
}

/// Adds events within a transaction, and sets the outcomes of their deliveries. Answers with how many were news.
pub(super) fn record(connection: &Connection, events: &[NewEvent]) -> Result<usize, StoreError> {
    let events = once(events);
    let rows = events.iter().map(|event| {
        let (account, subscriber) = event.subscriber().unzip();
        let (sets, clears) = event.bits();
        json!([
            account,
            subscriber,
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
