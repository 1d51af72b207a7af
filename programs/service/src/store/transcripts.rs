//! Calls that are kept to be explained, and counts of calls.

use std::collections::BTreeMap;
use std::fmt;

use franking::Operation;

use super::Answer;
use super::identity::{AccountId, CallId};
use super::operator::{OperatorError, Reply};
use super::records::{list, one};
use super::statement::{HasStatements, Row, statement};

/// A call of an account that was decided, to be kept.
#[derive(Clone)]
pub struct NewTranscript {
    /// Whose call it was.
    pub account: AccountId,
    /// Its transactionId, if it was accepted.
    pub call: Option<CallId>,
    /// What it called.
    pub operation: Operation,
    /// Its code.
    pub code: u16,
    /// The rule that was broken, if one was.
    pub rule: Option<&'static str>,
    /// The place in the body, as a JSON Pointer in which foreign names are masked.
    pub pointer: Option<String>,
    /// The length of its body.
    pub bytes: u64,
    /// From its head to its outcome.
    pub milliseconds: u64,
    /// The address of the client.
    pub peer: String,
    /// The id of the request.
    pub request: String,
    /// The transcript, sealed; `None` where it was not kept.
    pub sealed: Option<Vec<u8>>,
}

/// What the calls of a day that are counted together have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CountOf {
    /// Whose they were. `None` if no account has their key, or if they were refused before the key was looked up.
    pub account: Option<AccountId>,
    /// What they called.
    pub operation: Operation,
    /// Their code.
    pub code: u16,
    /// The rule that was broken, if one was.
    pub rule: Option<&'static str>,
    /// The address of the client, for calls without an account.
    pub peer: Option<String>,
}

/// What is counted, of all accounts together: the operation, the code and the rule.
pub(super) type TotalOf = (Operation, u16, Option<&'static str>);

/// Adds up what was counted of each account.
pub(super) fn totals(counted: &[(CountOf, u64)]) -> Vec<(TotalOf, u64)> {
    let mut totals = BTreeMap::<TotalOf, u64>::new();
    for (of, calls) in counted {
        let total = totals.entry((of.operation, of.code, of.rule)).or_default();
        *total = total.saturating_add(*calls);
    }
    totals.into_iter().collect()
}

/// Which refused calls are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// Those of that account.
    pub account: Option<AccountId>,
    /// Those that have broken that rule.
    pub rule: Option<&'static str>,
    /// Those before that number.
    pub before: Option<i64>,
    /// Those from that time on, in seconds since 1970.
    pub since: Option<i64>,
    /// Those before that time, in seconds since 1970.
    pub until: Option<i64>,
}

/// Which calls with a transcript are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptOf {
    /// Those of that account.
    pub account: Option<AccountId>,
    /// Those from that time on, in seconds since 1970.
    pub since: Option<i64>,
    /// Those before that time, in seconds since 1970.
    pub until: Option<i64>,
    /// Those after that number.
    pub after: i64,
}

/// Several processes give numbers at once, so that a later number can have a time that is earlier by a few seconds. Numbers are
/// looked up for times that are this much earlier and later.
const SLACK: i64 = 60;
/// The year 2100, in seconds since 1970: the end of a time that has none. Databases do not have all later times.
pub(super) const FAR: i64 = 4_102_444_800;

/// A kept call as it is listed.
#[derive(Clone, PartialEq, Eq)]
pub struct TranscriptRow {
    /// Its number.
    pub id: i64,
    /// Whose call it was.
    pub account: AccountId,
    /// Its transactionId, if it was accepted.
    pub call: Option<CallId>,
    /// What it called, by its name.
    pub operation: String,
    /// Its code.
    pub code: i64,
    /// The identifier of the rule that was broken, if one was.
    pub rule: Option<String>,
    /// The place in the body, as a JSON Pointer in which foreign names are masked.
    pub pointer: Option<String>,
    /// The length of its body.
    pub bytes: i64,
    /// From its head to its outcome.
    pub milliseconds: i64,
    /// The address of the client.
    pub peer: String,
    /// The id of the request.
    pub request: String,
    /// When it was kept, in seconds since 1970.
    pub received: i64,
}

/// How many calls there were, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountRow {
    /// Whose they were; `None` for those of no account.
    pub account: Option<AccountId>,
    /// What they called, by its name.
    pub operation: String,
    /// Their code.
    pub code: i64,
    /// The identifier of the rule that was broken, if one was.
    pub rule: String,
    /// The address of the client, for calls without an account.
    pub peer: Option<String>,
    /// How many.
    pub calls: i64,
}

/// Which calls are explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explained {
    /// That one, by its number or its transactionId.
    Number(i64),
    /// The last one with that id of its request.
    Request(String),
}

/// Looks kept calls up. The statements are the same on both databases.
pub trait KeptCalls {
    /// Refused calls, the last first, at most that many.
    fn refused(&self, which: Refused, at_most: u32) -> Reply<Vec<TranscriptRow>>;
    /// A call with its sealed transcript, if that was kept.
    fn transcript(&self, which: Explained) -> Reply<(TranscriptRow, Option<Vec<u8>>)>;
    /// Calls with their sealed transcripts, the first ones by number, at most that many.
    fn kept(&self, which: KeptOf, at_most: u32) -> Reply<Vec<(TranscriptRow, Vec<u8>)>>;
    /// How many calls were refused, today and on that many days before: of all accounts together by rule, or of one account, or by one
    /// rule of each account and client. The most frequent rows come first, and there are at most `at_most` of them.
    fn count_refused(
        &self,
        account: Option<AccountId>,
        rule: Option<&'static str>,
        days: u16,
        at_most: u32,
    ) -> Reply<Vec<CountRow>>;
}

impl<T: HasStatements> KeptCalls for T {
    fn refused(&self, which: Refused, at_most: u32) -> Reply<Vec<TranscriptRow>> {
        let since = which.since.unwrap_or(0);
        let until = which.until.unwrap_or(FAR);
        let (first, last) = (since.saturating_sub(SLACK), until.saturating_add(SLACK));
        let before = which.before.unwrap_or(i64::MAX);
        // Each combination is a statement of its own, because each has an index of its own.
        macro_rules! refused {
            ($($file:literal)* $(, $value:expr)*) => {
                statement!(
                    "transcript_numbers.sql" "select_transcripts.sql" "refused.sql" $($file)*,
                    first, last, before, since, until, at_most $(, $value)*
                )
            };
        }
        let account = which.account.map(|account| account.0);
        let statement = match (account, which.rule) {
            (None, None) => refused!("refused_of_all.sql"),
            (Some(account), None) => refused!("refused_of_account.sql", account),
            (None, Some(rule)) => refused!("refused_of_rule.sql", rule),
            (Some(account), Some(rule)) => {
                refused!("refused_of_account_and_rule.sql", account, rule)
            }
        };
        list(self.statements().read_rows(statement), read_transcript)
    }

    fn transcript(&self, which: Explained) -> Reply<(TranscriptRow, Option<Vec<u8>>)> {
        let statement = match which {
            Explained::Number(number) => {
                statement!("select_transcript.sql" "transcript_of_number.sql", number)
            }
            Explained::Request(request) => {
                statement!("select_transcript.sql" "transcript_of_request.sql", request)
            }
        };
        let rows = self.statements().read_rows(statement);
        Box::pin(async move {
            let row = one(rows.await?, "call")?;
            Ok((read_transcript(&row)?, row.optional_bytes(12)?))
        })
    }

    fn kept(&self, which: KeptOf, at_most: u32) -> Reply<Vec<(TranscriptRow, Vec<u8>)>> {
        let since = which.since.unwrap_or(0);
        let until = which.until.unwrap_or(FAR);
        let (first, last) = (since.saturating_sub(SLACK), until.saturating_add(SLACK));
        let account = which.account.map(|account| account.0);
        let statement = statement!(
            "transcript_numbers.sql" "select_transcript.sql" "transcripts_kept.sql",
            first, last, i64::MAX, since, until, at_most, which.after, account
        );
        list(self.statements().read_rows(statement), |row| {
            Ok((read_transcript(row)?, row.bytes(12)?))
        })
    }

    fn count_refused(
        &self,
        account: Option<AccountId>,
        rule: Option<&'static str>,
        days: u16,
        at_most: u32,
    ) -> Reply<Vec<CountRow>> {
        // Each is a statement of its own, because each has an index of its own.
        macro_rules! counted {
            ($file:literal $(, $value:expr)*) => {
                statement!($file, u32::from(days), at_most $(, $value)*)
            };
        }
        let account = account.map(|account| account.0);
        let statement = match (account, rule) {
            (None, None) => counted!("count_refused.sql"),
            (Some(account), None) => counted!("count_refused_of_account.sql", account),
            (None, Some(rule)) => counted!("count_refused_of_rule.sql", rule),
            (Some(account), Some(rule)) => {
                counted!("count_refused_of_account_by_rule.sql", account, rule)
            }
        };
        list(self.statements().read_rows(statement), |row| {
            let (account, peer) = (row.optional_integer(4)?, row.optional_text(5)?);
            Ok(CountRow {
                operation: row.text(0)?,
                code: row.integer(1)?,
                rule: row.text(2)?,
                calls: row.integer(3)?,
                account: account.filter(|id| *id != 0).map(AccountId),
                peer: peer.filter(|peer| !peer.is_empty()),
            })
        })
    }
}

fn read_transcript(row: &Row) -> Result<TranscriptRow, OperatorError> {
    let call = row.optional_integer(2)?;
    Ok(TranscriptRow {
        id: row.integer(0)?,
        account: AccountId(row.integer(1)?),
        call: call.map(|call| CallId(call.unsigned_abs())),
        operation: row.text(3)?,
        code: row.integer(4)?,
        rule: row.optional_text(5)?,
        pointer: row.optional_text(6)?,
        bytes: row.integer(7)?,
        milliseconds: row.integer(8)?,
        peer: row.text(9)?,
        request: row.text(10)?,
        received: row.integer(11)?,
    })
}

/// Keeps calls, and counts others.
pub trait Transcripts {
    /// Keeps calls, and counts others.
    fn keep_transcripts(
        &self,
        kept: Vec<NewTranscript>,
        counted: Vec<(CountOf, u64)>,
    ) -> Answer<()>;
}

impl fmt::Debug for NewTranscript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewTranscript")
            .field("account", &self.account)
            .field("code", &self.code)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for TranscriptRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranscriptRow")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
