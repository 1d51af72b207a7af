//! Calls as they are kept to be explained, on PostgreSQL.

use tokio_postgres::{Error, Row};

use super::Postgres;
use super::failure::Doing as _;
use super::operator::given;
use super::reports::in_transaction;
use super::session::Session;
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

impl Transcripts for Postgres {
    fn keep_transcripts(
        &self,
        kept: Vec<NewTranscript>,
        counted: Vec<(CountOf, u64)>,
    ) -> Answer<()> {
        self.run(move |pool| async move {
            in_transaction(&pool, (kept, counted), |session, (kept, counted)| {
                Box::pin(async move {
                    keep(session, kept).await?;
                    count(session, counted).await
                })
            })
            .await
        })
    }

    fn refused(&self, which: Refused, at_most: u32) -> Reply<Vec<TranscriptRow>> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?;
            let mut found = [None; 2];
            for (found, time) in found.iter_mut().zip([which.earliest(), which.latest()]) {
                let sql = include_str!("sql/transcript_of_time.sql");
                let rows = session.query(LISTING, sql, &[&time]).await?;
                let first = rows.first().map(|row| row.try_get::<_, i64>(0));
                *found = first.transpose().doing(LISTING)?;
            }
            let [first, last] = found;
            let (numbers, times) = (of_time(&which, first, last), which.times());
            let most = i64::from(at_most);
            let account = which.account.map(|account| account.0);
            let rows = {
                let mut given: Vec<&(dyn tokio_postgres::types::ToSql + Sync)> = vec![
                    &numbers.start,
                    &numbers.end,
                    &times.start,
                    &times.end,
                    &most,
                ];
                let sql = match (&account, &which.rule) {
                    (None, None) => of_transcripts!("sql/refused.sql"),
                    (Some(account), None) => {
                        given.push(account);
                        of_transcripts!("sql/refused_of_account.sql")
                    }
                    (None, Some(rule)) => {
                        given.push(rule);
                        of_transcripts!("sql/refused_by_rule.sql")
                    }
                    (Some(account), Some(rule)) => {
                        given.push(account);
                        given.push(rule);
                        of_transcripts!("sql/refused_of_account_by_rule.sql")
                    }
                };
                session.query(LISTING, sql, &given).await?
            };
            session.close();
            let read: Result<Vec<_>, Error> = rows.iter().map(read_transcript).collect();
            Ok(read.doing(LISTING)?)
        })
    }

    fn transcript(&self, which: Explained) -> Reply<(TranscriptRow, Option<Vec<u8>>)> {
        let (sql, given) = match which {
            Explained::Number(number) => (
                of_transcript!("sql/transcript_of_number.sql"),
                given![number],
            ),
            Explained::Request(request) => (
                of_transcript!("sql/transcript_of_request.sql"),
                given![request],
            ),
        };
        self.ask(sql, given, |rows| {
            let row = rows.first().ok_or(OperatorError::NotFound("call"))?;
            let read = |row: &Row| Ok::<_, Error>((read_transcript(row)?, row.try_get(12)?));
            Ok(read(row).doing(LISTING)?)
        })
    }

    fn count_refused(
        &self,
        account: Option<AccountId>,
        days: u16,
        at_most: u32,
    ) -> Reply<Vec<CountRow>> {
        let account = account.map(|account| account.0);
        let sql = include_str!("sql/count_refused.sql");
        let given = given![account, i64::from(days), i64::from(at_most)];
        self.ask(sql, given, |rows| {
            let read = |row: &Row| {
                Ok(CountRow {
                    account: Some(row.try_get(0)?).filter(|id| *id != 0).map(AccountId),
                    operation: row.try_get(1)?,
                    code: row.try_get(2)?,
                    rule: Some(row.try_get(3)?).filter(|rule: &String| !rule.is_empty()),
                    peer: Some(row.try_get(4)?).filter(|peer: &String| !peer.is_empty()),
                    calls: row.try_get(5)?,
                })
            };
            let read: Result<Vec<_>, Error> = rows.iter().map(read).collect();
            Ok(read.doing(LISTING)?)
        })
    }

    fn forget_transcripts(&self, days: u16, at_most: u32) -> Answer<u64> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?;
            let (days, most) = (i32::from(days), i64::from(at_most));
            let sql = include_str!("sql/delete_transcripts.sql");
            let deleted = session.execute(DELETING, sql, &[&days, &most]).await?;
            let sql = include_str!("sql/delete_peer_counts.sql");
            session.execute(DELETING, sql, &[&days]).await?;
            session.close();
            Ok(deleted)
        })
    }
}

/// A column of rows that are written together.
fn column<R, T>(rows: &[R], of: impl Fn(&R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

async fn keep(session: &Session, kept: &[NewTranscript]) -> Result<(), StoreError> {
    if kept.is_empty() {
        return Ok(());
    }
    let sql = include_str!("sql/insert_transcripts.sql");
    let signed = |call: CallId| to_signed(call.number());
    session
        .execute(
            KEEPING,
            sql,
            &[
                &column(kept, |kept| kept.account.0),
                &column(kept, |kept| kept.call.map(signed)),
                &column(kept, |kept| kept.operation.name()),
                &column(kept, |kept| i64::from(kept.code)),
                &column(kept, |kept| kept.rule),
                &column(kept, |kept| kept.pointer.clone()),
                &column(kept, |kept| to_signed(kept.bytes)),
                &column(kept, |kept| to_signed(kept.milliseconds)),
                &column(kept, |kept| kept.peer.clone()),
                &column(kept, |kept| kept.request.clone()),
                &column(kept, |kept| kept.sealed.clone()),
            ],
        )
        .await?;
    Ok(())
}

async fn count(session: &Session, counted: &[(CountOf, u64)]) -> Result<(), StoreError> {
    if counted.is_empty() {
        return Ok(());
    }
    let sql = include_str!("sql/count_calls.sql");
    session
        .execute(
            KEEPING,
            sql,
            &[
                &column(counted, |(of, _)| of.account.map_or(0, |account| account.0)),
                &column(counted, |(of, _)| of.operation.name()),
                &column(counted, |(of, _)| i64::from(of.code)),
                &column(counted, |(of, _)| of.rule.unwrap_or_default()),
                &column(counted, |(of, _)| of.peer.clone().unwrap_or_default()),
                &column(counted, |(_, calls)| to_signed(*calls)),
            ],
        )
        .await?;
    Ok(())
}

fn read_transcript(row: &Row) -> Result<TranscriptRow, Error> {
    let call: Option<i64> = row.try_get(2)?;
    Ok(TranscriptRow {
        id: row.try_get(0)?,
        account: AccountId(row.try_get(1)?),
        call: call.map(|call| CallId(call.unsigned_abs())),
        operation: row.try_get(3)?,
        code: row.try_get(4)?,
        rule: row.try_get(5)?,
        pointer: row.try_get(6)?,
        bytes: row.try_get(7)?,
        milliseconds: row.try_get(8)?,
        peer: row.try_get(9)?,
        request: row.try_get(10)?,
        received: row.try_get(11)?,
    })
}
