//! Calls as they are kept to be explained, and how many there were.

use std::fmt;
use std::ops::Range;

use franking::Operation;

use super::Answer;
use super::identity::{AccountId, CallId};
use super::operator::Reply;

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

/// Which calls are counted together, of one day.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CountOf {
    /// Whose they were; `None` for those whose key no account has, or that were refused before it was looked for.
    pub account: Option<AccountId>,
    /// What they called.
    pub operation: Operation,
    /// Their code.
    pub code: u16,
    /// The rule that was broken, if one was.
    pub rule: Option<&'static str>,
    /// The address of the client, for calls of no account.
    pub peer: Option<String>,
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

/// Numbers are given in the order of times, but for what several processes keep within this time, in seconds.
const SLACK: i64 = 60;
/// The year 2100, in seconds since 1970: databases have later times, but not all that can be typed.
pub(super) const FAR: i64 = 4_102_444_800;

impl Refused {
    /// The times that are asked for.
    pub(super) fn times(&self) -> Range<i64> {
        self.since.unwrap_or(i64::MIN)..self.until.unwrap_or(i64::MAX)
    }

    /// The time from which on the first call may be.
    pub(super) fn earliest(&self) -> i64 {
        self.since.map_or(0, |since| since.saturating_sub(SLACK))
    }

    /// The time from which on no call can be.
    pub(super) fn latest(&self) -> i64 {
        self.until.map_or(FAR, |until| until.saturating_add(SLACK))
    }
}

/// The numbers that are asked for, by those of the first calls from [`Refused::earliest`] and [`Refused::latest`] on.
pub(super) fn of_time(which: &Refused, first: Option<i64>, last: Option<i64>) -> Range<i64> {
    let last = last.unwrap_or(i64::MAX);
    first.unwrap_or(i64::MAX)..which.before.map_or(last, |before| before.min(last))
}

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
    pub rule: Option<String>,
    /// The address of the client, for calls of no account.
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

/// Calls as they are kept to be explained, and how many there were.
pub trait Transcripts {
    /// Keeps calls, and counts others.
    fn keep_transcripts(
        &self,
        kept: Vec<NewTranscript>,
        counted: Vec<(CountOf, u64)>,
    ) -> Answer<()>;
    /// Refused calls, the last first, at most that many.
    fn refused(&self, which: Refused, at_most: u32) -> Reply<Vec<TranscriptRow>>;
    /// A call with its sealed transcript, if that was kept.
    fn transcript(&self, which: Explained) -> Reply<(TranscriptRow, Option<Vec<u8>>)>;
    /// How many calls were refused today and on that many days before, of one account or of all; the most frequent first, at most that many rows.
    fn count_refused(
        &self,
        account: Option<AccountId>,
        days: u16,
        at_most: u32,
    ) -> Reply<Vec<CountRow>>;
    /// Deletes kept calls that are older than that many days, at most that many of them. Answers with how many it deleted.
    fn forget_transcripts(&self, days: u16, at_most: u32) -> Answer<u64>;
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
