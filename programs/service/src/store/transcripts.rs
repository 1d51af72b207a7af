//! Calls that are kept so that they can be explained, and counts of calls.

use std::collections::BTreeMap;
use std::fmt;

use franking::Operation;

use super::Answer;
use super::identity::{AccountId, CallId};
use super::operator::{OperatorError, Reply};
use super::records::{list, one};
use super::statement::{HasStatements, Row, statement};

/// A decided call of an account, to be kept.
#[derive(Clone)]
pub struct NewTranscript {
    /// The account.
    pub account: AccountId,
    /// Its transactionId, if it was accepted.
    pub call: Option<CallId>,
    /// The operation.
    pub operation: Operation,
    /// Its code.
    pub code: u16,
    /// The rule that was broken, if one was.
    pub rule: Option<&'static str>,
    /// The place in the body, as a JSON Pointer in which foreign names are masked.
    pub pointer: Option<String>,
    /// The length of its body.
    pub bytes: u64,
    /// The time from its head to its outcome.
    pub milliseconds: u64,
    /// The address of the client.
    pub peer: String,
    /// The id of the request.
    pub request: String,
    /// The sealed transcript. `None` if it was not kept.
    pub sealed: Option<Vec<u8>>,
}

/// The key under which the calls of a day are counted together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CountOf {
    /// Their account. `None` if no account has their key, or if they were refused before the key was looked up.
    pub account: Option<AccountId>,
    /// Their operation.
    pub operation: Operation,
    /// Their code.
    pub code: u16,
    /// The rule that was broken, if one was.
    pub rule: Option<&'static str>,
    /// The address of the client, for calls without an account.
    pub peer: Option<String>,
}

/// The key under which calls of all accounts are counted together: the operation, the code and the rule.
pub(super) type TotalOf = (Operation, u16, Option<&'static str>);

/// Adds up the counts of all accounts.
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
    /// Calls of this account.
    pub account: Option<AccountId>,
    /// Calls that have broken this rule.
    pub rule: Option<&'static str>,
    /// Calls before this number.
    pub before: Option<i64>,
    /// Calls from this time on, in seconds since 1970.
    pub since: Option<i64>,
    /// Calls before this time, in seconds since 1970.
    pub until: Option<i64>,
}

/// Which calls with a transcript are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptOf {
    /// Calls of this account.
    pub account: Option<AccountId>,
    /// Calls from this time on, in seconds since 1970.
    pub since: Option<i64>,
    /// Calls before this time, in seconds since 1970.
    pub until: Option<i64>,
    /// Calls after this number.
    pub after: i64,
}

/// Several processes give numbers at once, so a later number can have a time that is a few seconds earlier. Numbers are
/// therefore looked up for times that are this much earlier and later.
const SLACK: i64 = 60;
/// The year 2100, in seconds since 1970. It replaces a missing end of a range of times, because databases do not have all
/// later times.
pub(super) const FAR: i64 = 4_102_444_800;

/// A kept call as it is listed.
#[derive(Clone, PartialEq, Eq)]
pub struct TranscriptRow {
    /// Its number.
    pub id: i64,
    /// The account.
    pub account: AccountId,
    /// Its transactionId, if it was accepted.
    pub call: Option<CallId>,
    /// The name of the operation.
    pub operation: String,
    /// Its code.
    pub code: i64,
    /// The identifier of the rule that was broken, if one was.
    pub rule: Option<String>,
    /// The place in the body, as a JSON Pointer in which foreign names are masked.
    pub pointer: Option<String>,
    /// The length of its body.
    pub bytes: i64,
    /// The time from its head to its outcome.
    pub milliseconds: i64,
    /// The address of the client.
    pub peer: String,
    /// The id of the request.
    pub request: String,
    /// When it was kept, in seconds since 1970.
    pub received: i64,
}

/// A count of calls, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountRow {
    /// Their account. `None` for calls without an account.
    pub account: Option<AccountId>,
    /// The name of their operation.
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

/// The call to explain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explained {
    /// The call with this number or transactionId.
    Number(i64),
    /// The last call with this id of its request.
    Request(String),
}

/// Looks up kept calls.
pub trait KeptCalls {
    /// Returns at most `at_most` refused calls, newest first.
    fn refused(&self, which: Refused, at_most: u32) -> Reply<Vec<TranscriptRow>>;
    /// Returns a call, with its sealed transcript if that was kept.
    fn transcript(&self, which: Explained) -> Reply<(TranscriptRow, Option<Vec<u8>>)>;
    /// Returns calls with their sealed transcripts, in the order of their numbers: at most `at_most`, up to the call with
    /// which they reach `bytes`.
    fn kept(&self, which: KeptOf, at_most: u32, bytes: u64)
    -> Reply<Vec<(TranscriptRow, Vec<u8>)>>;
    /// Counts the calls that were refused today and on the `days` days before: by rule for all accounts together, or for one
    /// account, or for one rule by account and client. The most frequent rows come first, and there are at most `at_most` of
    /// them.
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

    fn kept(
        &self,
        which: KeptOf,
        at_most: u32,
        bytes: u64,
    ) -> Reply<Vec<(TranscriptRow, Vec<u8>)>> {
        let since = which.since.unwrap_or(0);
        let until = which.until.unwrap_or(FAR);
        let (first, last) = (since.saturating_sub(SLACK), until.saturating_add(SLACK));
        let account = which.account.map(|account| account.0);
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        let statement = statement!(
            "transcript_numbers.sql" "transcripts_kept.sql" "select_transcript.sql" "transcripts_placed.sql",
            first, last, i64::MAX, since, until, at_most, which.after, account, bytes
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
