//! Hits on SQLite.

use std::sync::Arc;

use rusqlite::{Connection, Row, params};
use serde_json::json;

use super::Sqlite;
use super::carry_out::{array, execute, query_row};
use super::events;
use super::failure::Doing as _;
use super::reports::{row, rows};
use super::writer::Written;
use crate::mail::SentHtml;
use crate::outcomes::DECIDED_AFTER;
use crate::store::Answer;
use crate::store::claimed::sent_html;
use crate::store::error::StoreError;
use crate::store::hits::{Decided, HitRow, MOST_HITS, NewHit, Tracking, decide};

const LOOKING: &str = "looking for a tracked email";
const KEEPING: &str = "keeping a hit";
const DECIDING: &str = "deciding hits";

impl Tracking for Sqlite {
    fn has_tracked_image(&self, delivery: i64) -> Answer<bool> {
        self.readers.served.read(move |connection| {
            let sql = include_str!("sql/has_tracked_image.sql");
            query_row(connection, LOOKING, sql, params![delivery], |row| {
                row.get(0)
            })
        })
    }

    fn tracked_html(&self, delivery: i64) -> Answer<Option<SentHtml>> {
        self.readers.served.read(move |connection| {
            let sql = include_str!("sql/tracked_html.sql");
            let read = |row: &Row<'_>| {
                let fields: Option<String> = row.get(2)?;
                let mailer: Option<i64> = row.get(1)?;
                Ok(sent_html(row.get(0)?, row.get(3)?, mailer, fields, Some))
            };
            let found = row(connection, sql, params![delivery], read).doing(LOOKING)?;
            Ok(found.flatten())
        })
    }

    fn add_hit(&self, hit: NewHit) -> Answer<()> {
        self.write(move |connection| {
            let Some((delivery, link)) = hit.place() else {
                return Ok(());
            };
            let params = params![
                delivery,
                link,
                hit.reason.name(),
                hit.address(),
                hit.agent(),
                MOST_HITS
            ];
            execute(
                connection,
                KEEPING,
                include_str!("sql/insert_hit.sql"),
                params,
            )?;
            Ok(())
        })
    }

    fn decide_hits(&self, at_most: u32) -> Answer<u64> {
        let writer = Arc::clone(&self.writer);
        let found = self.readers.served.read(move |connection| {
            let sql = include_str!("sql/hits_to_decide.sql");
            let read = |row: &Row<'_>| {
                Ok(HitRow {
                    id: row.get(0)?,
                    delivery: row.get(1)?,
                    link: row.get(2)?,
                    reason: row.get(3)?,
                    happened: row.get(4)?,
                    stays: row.get(5)?,
                    delivered: row.get(6)?,
                })
            };
            rows(connection, sql, params![DECIDED_AFTER, at_most], read).doing(DECIDING)
        });
        Box::pin(async move {
            let found: Vec<HitRow> = found.await?;
            let decided = decide(&found)?;
            // Usually there is nothing to do, and nobody has to wait for the writer.
            if decided.reasons.is_empty() {
                return Ok(0);
            }
            let written = writer.run(move |connection| {
                let tells = keep(connection, &decided);
                Written {
                    keeps: tells.is_ok(),
                    rows: decided.reasons.len(),
                    tells,
                }
            });
            written.await
        })
    }
}

fn keep(connection: &Connection, decided: &Decided) -> Result<u64, StoreError> {
    let reasons = decided.reasons.iter();
    let reasons = array(reasons.map(|(id, reason)| json!([id, reason.name()])));
    let sql = include_str!("sql/decide_hits.sql");
    let changed = execute(connection, DECIDING, sql, params![reasons])?;
    events::record(connection, &decided.events)?;
    Ok(changed as u64)
}
