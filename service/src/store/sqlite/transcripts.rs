//! Calls as they are kept to be explained, on SQLite.

use rusqlite::{Connection, Row, ToSql, params};

use super::Sqlite;
use super::carry_out::execute;
use super::failure::Doing as _;
use super::reports::{row, rows};
use crate::store::Answer;
use crate::store::asked::to_signed;
use crate::store::error::StoreError;
use crate::store::identity::{AccountId, CallId};
use crate::store::operator::{OperatorError, Reply};
use crate::store::transcripts::{
    CountOf, CountRow, Explained, NewTranscript, Refused, TranscriptRow, Transcripts, of_time,
};

const KEEPING: &str = "keeping calls";
const LISTING: &str = "listing calls";
const DELETING: &str = "deleting calls";

/// A statement about kept calls.
macro_rules! of_transcripts {
    ($sql:literal) => {
        concat!(
            include_str!("sql/select_transcripts.sql"),
            include_str!($sql)
        )
    };
}

/// A statement about one kept call.
macro_rules! of_transcript {
    ($sql:literal) => {
        concat!(
            include_str!("sql/select_transcript.sql"),
            include_str!($sql)
        )
    };
}

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
            Ok(())
        })
    }

    fn refused(&self, which: Refused, at_most: u32) -> Reply<Vec<TranscriptRow>> {
        self.readers.read(move |connection| {
            let at = |time| {
                let sql = include_str!("sql/transcript_of_time.sql");
                let found = row(connection, sql, params![time], |row| row.get::<_, i64>(0));
                found.doing(LISTING)
            };
            let numbers = of_time(&which, at(which.earliest())?, at(which.latest())?);
            let times = which.times();
            let mut given: Vec<&dyn ToSql> = vec![
                &numbers.start,
                &numbers.end,
                &times.start,
                &times.end,
                &at_most,
            ];
            let sql = match (&which.account, &which.rule) {
                (None, None) => of_transcripts!("sql/refused.sql"),
                (Some(account), None) => {
                    given.push(&account.0);
                    of_transcripts!("sql/refused_of_account.sql")
                }
                (None, Some(rule)) => {
                    given.push(rule);
                    of_transcripts!("sql/refused_by_rule.sql")
                }
                (Some(account), Some(rule)) => {
                    given.extend([&account.0 as &dyn ToSql, rule]);
                    of_transcripts!("sql/refused_of_account_by_rule.sql")
                }
            };
            Ok(rows(connection, sql, &given, read_transcript).doing(LISTING)?)
        })
    }

    fn transcript(&self, which: Explained) -> Reply<(TranscriptRow, Option<Vec<u8>>)> {
        self.readers.read(move |connection| {
            let read = |row: &Row<'_>| Ok((read_transcript(row)?, row.get(12)?));
            let found = match which {
                Explained::Number(number) => {
                    let sql = of_transcript!("sql/transcript_of_number.sql");
                    row(connection, sql, params![number], read)
                }
                Explained::Request(request) => {
                    let sql = of_transcript!("sql/transcript_of_request.sql");
                    row(connection, sql, params![request], read)
                }
            };
            found.doing(LISTING)?.ok_or(OperatorError::NotFound("call"))
        })
    }

    fn count_refused(
        &self,
        account: Option<AccountId>,
        days: u16,
        at_most: u32,
    ) -> Reply<Vec<CountRow>> {
        self.readers.read(move |connection| {
            let sql = include_str!("sql/count_refused.sql");
            let account = account.map(|account| account.0);
            let read = |row: &Row<'_>| {
                Ok(CountRow {
                    account: Some(row.get(0)?).filter(|id| *id != 0).map(AccountId),
                    operation: row.get(1)?,
                    code: row.get(2)?,
                    rule: Some(row.get(3)?).filter(|rule: &String| !rule.is_empty()),
                    peer: Some(row.get(4)?).filter(|peer: &String| !peer.is_empty()),
                    calls: row.get(5)?,
                })
            };
            let counted = rows(connection, sql, params![account, days, at_most], read);
            Ok(counted.doing(LISTING)?)
        })
    }

    fn forget_transcripts(&self, days: u16, at_most: u32) -> Answer<u64> {
        self.write(move |connection| {
            let sql = include_str!("sql/delete_transcripts.sql");
            let deleted = execute(connection, DELETING, sql, params![days, at_most])?;
            let sql = include_str!("sql/delete_peer_counts.sql");
            execute(connection, DELETING, sql, params![days])?;
            Ok(deleted as u64)
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

fn read_transcript(row: &Row<'_>) -> rusqlite::Result<TranscriptRow> {
    let call: Option<i64> = row.get(2)?;
    Ok(TranscriptRow {
        id: row.get(0)?,
        account: AccountId(row.get(1)?),
        call: call.map(|call| CallId(call.unsigned_abs())),
        operation: row.get(3)?,
        code: row.get(4)?,
        rule: row.get(5)?,
        pointer: row.get(6)?,
        bytes: row.get(7)?,
        milliseconds: row.get(8)?,
        peer: row.get(9)?,
        request: row.get(10)?,
        received: row.get(11)?,
    })
}
