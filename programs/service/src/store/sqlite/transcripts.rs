//! Keeps calls so that they can be explained, and counts calls, on SQLite.

use rusqlite::{Connection, params};

use super::Sqlite;
use super::carry_out::execute;
use crate::store::Answer;
use crate::store::asked::to_signed;
use crate::store::error::StoreError;
use crate::store::transcripts::{CountOf, NewTranscript, Transcripts, totals};

const KEEPING: &str = "keeping calls";

impl Transcripts for Sqlite {
    fn keep_transcripts(
        &self,
        kept: Vec<NewTranscript>,
        counted: Vec<(CountOf, u64)>,
    ) -> Answer<()> {
        self.write(move |connection| {
            for kept in &kept {
                keep(connection, kept)?;
            }
            for (of, calls) in &counted {
                let params = params![
                    of.account.map_or(0, |account| account.0),
                    of.operation.name(),
                    of.code,
                    of.rule.unwrap_or_default(),
                    of.peer.as_deref().unwrap_or_default(),
                    to_signed(*calls),
                ];
                let sql = include_str!("sql/count_call.sql");
                execute(connection, KEEPING, sql, params)?;
            }
            for ((operation, code, rule), calls) in totals(&counted) {
                let params = params![
                    operation.name(),
                    code,
                    rule.unwrap_or_default(),
                    to_signed(calls),
                ];
                let sql = include_str!("sql/count_all_calls.sql");
                execute(connection, KEEPING, sql, params)?;
            }
            Ok(())
        })
    }
}

fn keep(connection: &Connection, kept: &NewTranscript) -> Result<(), StoreError> {
    let params = params![
        kept.account.0,
        kept.call.map(|call| to_signed(call.number())),
        kept.operation.name(),
        kept.code,
        kept.rule,
        kept.pointer,
        to_signed(kept.bytes),
        to_signed(kept.milliseconds),
        kept.peer,
        kept.request,
        kept.sealed,
    ];
    let sql = include_str!("sql/insert_transcript.sql");
    execute(connection, KEEPING, sql, params)?;
    Ok(())
}
