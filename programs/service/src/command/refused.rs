//! Calls that were refused.

use clap::{Args, Subcommand, value_parser};
use franking::{Operation, Rule};
use jiff::Timestamp;

use super::listing::{Cell, Shown};
use super::{Failure, rule, time};
use crate::store::{AccountId, OperatorError, Refused, Store, TranscriptRow};

/// The columns of a refused call.
const COLUMNS: &[&str] = &[
    "number",
    "received",
    "account",
    "operation",
    "code",
    "rule",
    "place",
    "bytes",
    "milliseconds",
    "peer",
    "request",
];

#[derive(Subcommand)]
pub(super) enum RefusedCalls {
    /// List the refused calls of accounts, the latest first. `call explain NUMBER` says why a call was refused
    List {
        #[command(flatten)]
        which: Which,
        /// The maximum number of entries
        #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=10_000))]
        limit: u32,
        #[command(flatten)]
        shown: Shown,
    },
    /// Count refused calls, the most frequent first: by rule, for all accounts together or for one; or by account, for one
    /// rule. Calls without an account are counted by client address
    Count {
        /// Count calls of this account
        #[arg(long)]
        account: Option<i64>,
        /// Count calls that have broken this rule
        #[arg(long, value_parser = rule)]
        rule: Option<Rule>,
        /// The number of days before today that are counted as well. Days are in UTC
        #[arg(long, default_value_t = 7)]
        days: u16,
        /// The maximum number of rows
        #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=10_000))]
        limit: u32,
        #[command(flatten)]
        shown: Shown,
    },
}

/// Which refused calls.
#[derive(Args)]
pub(super) struct Which {
    /// Only calls of this account
    #[arg(long)]
    account: Option<i64>,
    /// Only calls that have broken this rule
    #[arg(long, value_parser = rule)]
    rule: Option<Rule>,
    /// Only calls that were answered with this code
    #[arg(long, conflicts_with = "rule")]
    code: Option<u16>,
    /// Only calls from this time on, such as 2026-01-31T10:32:00Z
    #[arg(long, value_name = "TIME")]
    since: Option<Timestamp>,
    /// Only calls before this time
    #[arg(long, value_name = "TIME")]
    until: Option<Timestamp>,
    /// Only calls before this number
    #[arg(long, value_name = "NUMBER")]
    before: Option<i64>,
}

impl RefusedCalls {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::List {
                which,
                limit,
                shown,
            } => {
                let code = which.code;
                let which = Refused {
                    account: which.account.map(AccountId::from_number),
                    rule: which.rule.map(Rule::identifier),
                    before: which.before,
                    since: which.since.map(Timestamp::as_second),
                    until: which.until.map(Timestamp::as_second),
                };
                let mut list = shown.list(COLUMNS);
                let rows = match code {
                    None => store.refused(which, limit).await?,
                    Some(code) => of_code(store, which, code, limit).await?,
                };
                for row in rows {
                    list.row(cells(row))?;
                }
                list.end()?;
            }
            Self::Count {
                account,
                rule,
                days,
                limit,
                shown,
            } => {
                let account = account.map(AccountId::from_number);
                let rule = rule.map(Rule::identifier);
                let mut list =
                    shown.list(&["calls", "account", "operation", "code", "rule", "peer"]);
                let counted = store.count_refused(account, rule, days, limit).await?;
                for row in counted {
                    list.row(vec![
                        row.calls.into(),
                        row.account.map(AccountId::number).into(),
                        row.operation.into(),
                        row.code.into(),
                        row.rule.into(),
                        row.peer.into(),
                    ])?;
                }
                list.end()?;
            }
        }
        Ok(())
    }
}

/// Refused calls with a code, the latest first. It reads the calls of each rule that has the code on some operation. Calls
/// with another code are dropped, because a rule can have a different code on each operation.
async fn of_code(
    store: &dyn Store,
    which: Refused,
    code: u16,
    limit: u32,
) -> Result<Vec<TranscriptRow>, OperatorError> {
    let has_code = |rule: &&Rule| {
        let mut operations = Operation::ALL.iter();
        operations.any(|operation| {
            let own = rule.code(*operation);
            own.is_some_and(|own| own.number() == code)
        })
    };
    let wanted = limit as usize;
    let mut all = Vec::new();
    for rule in Rule::ALL.iter().filter(has_code) {
        let mut which = which.clone();
        which.rule = Some(rule.identifier());
        let mut of_rule = Vec::new();
        loop {
            let rows = store.refused(which.clone(), limit).await?;
            let is_full = rows.len() >= wanted;
            which.before = rows.last().map(|row| row.id);
            of_rule.extend(rows.into_iter().filter(|row| row.code == i64::from(code)));
            if !is_full || of_rule.len() >= wanted {
                break;
            }
        }
        all.extend(of_rule);
    }
    all.sort_by_key(|row| std::cmp::Reverse(row.id));
    all.truncate(wanted);
    Ok(all)
}

fn cells(row: TranscriptRow) -> Vec<Cell> {
    vec![
        row.id.into(),
        time(row.received).into(),
        row.account.number().into(),
        row.operation.into(),
        row.code.into(),
        row.rule.into(),
        row.pointer.into(),
        row.bytes.into(),
        row.milliseconds.into(),
        row.peer.into(),
        row.request.into(),
    ]
}
