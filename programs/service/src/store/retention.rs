//! Deletes data whose time is over, in small steps, so that a call waits for one step at most. The statements are the same
//! on both databases.
//!
//! The caller gives the time, so that a test can let days pass.

use std::collections::{BTreeMap, BTreeSet};

use super::events::summary;
use super::operator::{OperatorError, Reply};
use super::records::one;
use super::statement::{HasStatements, Row, Statement, Statements, Value, statement};

/// The kinds of data that are deleted when their time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expired {
    /// Idempotency keys.
    IdempotencyKeys,
    /// The subject, HTML and values of emails that have ended. The rest of an email tells to whom it was sent and what
    /// happened to it.
    Contents,
    /// Deliveries that have ended, with the recipient's address. They are counted by account, day and code.
    Deliveries,
    /// Messages, once all of their deliveries are gone.
    Messages,
    /// Calls, once all of their messages are gone. Their costs are added up by account.
    Calls,
    /// Kept calls, and the counts of clients without an account.
    Transcripts,
    /// Events.
    Events,
    /// Reports.
    Reports,
    /// The addresses and user agents of readers who have followed links or loaded images.
    Readers,
    /// Followed links and loaded images.
    Hits,
    /// The commands of operators.
    Audit,
}

/// Where a step has ended: the last row that it looked at. The steps that follow do not look again at rows that cannot be
/// deleted yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position(i64, i64);

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// How many rows it has deleted, or emptied.
    pub rows: u64,
    /// Where the next step begins.
    pub position: Position,
    /// Whether nothing is left that is old enough.
    pub is_last: bool,
}

/// How many rows a step looks at. The statements have the same number in their texts, because PostgreSQL then plans for few
/// rows.
const ROWS: usize = 100;
/// A day, in seconds.
pub(crate) const DAY: i64 = 86_400;

/// Deletes data whose time is over.
pub trait Retention {
    /// The database's time, in seconds since 1970.
    fn time(&self) -> Reply<i64>;
    /// Deletes some of the rows after a position whose time, in seconds since 1970, is not later than `until`.
    fn forget(&self, what: Expired, until: i64, after: Position) -> Reply<Step>;
}

impl<T: HasStatements> Retention for T {
    fn time(&self) -> Reply<i64> {
        let rows = self.statements().read_rows(statement!("time.sql"));
        Box::pin(async move { one(rows.await?, "time")?.integer(0) })
    }

    fn forget(&self, what: Expired, until: i64, after: Position) -> Reply<Step> {
        let store = self.statements();
        Box::pin(async move {
            match what {
                Expired::IdempotencyKeys => {
                    let keys = statement!("forget_keys.sql", until);
                    delete(&*store, keys).await
                }
                Expired::Reports => delete(&*store, statement!("forget_reports.sql", until)).await,
                Expired::Readers => delete(&*store, statement!("forget_readers.sql", until)).await,
                Expired::Hits => delete(&*store, statement!("forget_hits.sql", until)).await,
                Expired::Audit => delete(&*store, statement!("forget_audit.sql", until)).await,
                Expired::Transcripts => {
                    let counts = statement!("forget_peer_counts.sql", until.div_euclid(DAY));
                    delete(&*store, counts).await?;
                    delete(&*store, statement!("forget_transcripts.sql", until)).await
                }
                Expired::Events => events(&*store, until).await,
                Expired::Contents => contents(&*store, until, after).await,
                Expired::Deliveries => deliveries(&*store, until, after).await,
                Expired::Messages => messages(&*store, until, after).await,
                Expired::Calls => calls(&*store, until, after).await,
            }
        })
    }
}

/// Carries out a statement that deletes the oldest rows and returns one row for each.
async fn delete(store: &dyn Statements, statement: Statement) -> Result<Step, OperatorError> {
    let deleted = store.write_rows(vec![statement]).await?;
    Ok(Step {
        rows: deleted.len() as u64,
        position: Position::default(),
        is_last: deleted.len() < ROWS,
    })
}

/// Deletes events from the first on, up to one that is too young, so that there is no gap among the events that are left.
async fn events(store: &dyn Statements, until: i64) -> Result<Step, OperatorError> {
    let first = store.read_rows(statement!("first_events.sql")).await?;
    let mut last = None;
    let mut old = 0_usize;
    for row in &first {
        if row.integer(1)? > until {
            break;
        }
        last = Some(row.integer(0)?);
        old = old.saturating_add(1);
    }
    if let Some(last) = last {
        let gone = store.write_rows(vec![
            statement!("forget_webhook_retries.sql", last),
            statement!("mark_events_gone.sql", last),
            statement!("forget_events.sql", last),
        ]);
        gone.await?;
    }
    Ok(Step {
        rows: old as u64,
        position: Position::default(),
        is_last: old < ROWS,
    })
}

/// Consecutive rows of a table, which a step looks at.
struct Range {
    rows: Vec<Row>,
    after: Position,
    last: Position,
    is_last: bool,
}

impl Range {
    /// Reads the rows of a statement, each of which begins with two numbers and a time. Returns `None` if no row is old
    /// enough.
    async fn read(
        store: &dyn Statements,
        statement: Statement,
        until: i64,
        after: Position,
    ) -> Result<Option<Self>, OperatorError> {
        let rows = store.read_rows(statement).await?;
        let Some(end) = rows.last() else {
            return Ok(None);
        };
        let times = rows.iter().map(|row| row.integer(2));
        if !times
            .collect::<Result<Vec<_>, _>>()?
            .iter()
            .any(|time| *time <= until)
        {
            return Ok(None);
        }
        Ok(Some(Self {
            after,
            last: Position(end.integer(0)?, end.integer(1)?),
            // Later rows are younger.
            is_last: rows.len() < ROWS || end.integer(2)? > until,
            rows,
        }))
    }

    fn step(&self, rows: u64) -> Step {
        Step {
            rows,
            // Young rows are looked at again when they are older.
            position: if self.is_last { self.after } else { self.last },
            is_last: self.is_last,
        }
    }
}

/// Makes the result of a step that finds nothing.
const fn nothing(after: Position) -> Step {
    Step {
        rows: 0,
        position: after,
        is_last: true,
    }
}

async fn contents(
    store: &dyn Statements,
    until: i64,
    after: Position,
) -> Result<Step, OperatorError> {
    let sql = statement!("messages_with_content.sql", after.0, after.1);
    let Some(range) = Range::read(store, sql, until, after).await? else {
        return Ok(nothing(after));
    };
    let hashes = range.rows.iter().map(|row| row.optional_bytes(3));
    let hashes = hashes.collect::<Result<BTreeSet<_>, _>>()?;
    let Position(call, position) = range.last;
    let empty = statement!(
        "empty_messages.sql",
        after.0,
        after.1,
        call,
        position,
        until
    );
    let follow = move |emptied: &[Row]| {
        let mut statements = Vec::new();
        for message in emptied {
            // Only the emails of stored mailers are filled in.
            if message.optional_integer(2)?.is_some() {
                let (call, position) = (message.integer(0)?, message.integer(1)?);
                statements.push(statement!("empty_values.sql", call, position));
            }
        }
        let hashes = hashes.iter().flatten().cloned().map(Value::Bytes);
        statements.extend(hashes.map(|hash| statement!("forget_content.sql", hash)));
        Ok(statements)
    };
    let emptied = store.write_then(empty, Box::new(follow)).await?;
    Ok(range.step(emptied.len() as u64))
}

/// The key under which deliveries are counted together: the day of their acceptance, their account, and the code of their
/// outcome.
type Counted = (i64, i64, i64);

/// Makes the statements that count deliveries, from rows that begin with the account, the time and the outcome.
pub(super) fn counts(rows: &[Row]) -> Result<Vec<Statement>, OperatorError> {
    let mut counted = BTreeMap::<Counted, i64>::new();
    for row in rows {
        let day = row.integer(1)?.div_euclid(DAY);
        let code = summary(row.integer(2)?);
        let count = counted.entry((day, row.integer(0)?, code)).or_default();
        *count = count.saturating_add(1);
    }
    let counted = counted.into_iter();
    let add = |((day, account, code), emails): (Counted, i64)| {
        statement!("count_emails.sql", day, account, code, emails)
    };
    Ok(counted.map(add).collect())
}

async fn deliveries(
    store: &dyn Statements,
    until: i64,
    after: Position,
) -> Result<Step, OperatorError> {
    let sql = statement!("walk_deliveries.sql", after.0);
    let Some(range) = Range::read(store, sql, until, after).await? else {
        return Ok(nothing(after));
    };
    let delete = statement!("forget_deliveries.sql", after.0, range.last.0, until);
    let deleted = store.write_then(delete, Box::new(counts)).await?;
    Ok(range.step(deleted.len() as u64))
}

async fn messages(
    store: &dyn Statements,
    until: i64,
    after: Position,
) -> Result<Step, OperatorError> {
    let sql = statement!("walk_messages.sql", after.0, after.1);
    let Some(range) = Range::read(store, sql, until, after).await? else {
        return Ok(nothing(after));
    };
    let Position(call, position) = range.last;
    let delete = statement!(
        "forget_messages.sql",
        after.0,
        after.1,
        call,
        position,
        until
    );
    let deleted = store.write_rows(vec![delete]).await?;
    Ok(range.step(deleted.len() as u64))
}

/// Makes the statements that add up the costs of calls, from rows of the account and the credits.
fn costs(rows: &[Row]) -> Result<Vec<Statement>, OperatorError> {
    let mut costs = BTreeMap::<i64, (i64, i64)>::new();
    for row in rows {
        let cost = costs.entry(row.integer(0)?).or_default();
        cost.0 = cost.0.saturating_add(row.integer(1)?);
        cost.1 = cost.1.saturating_add(row.integer(2)?);
    }
    let costs = costs.into_iter();
    let add = |(account, (subscribers, emails)): (i64, (i64, i64))| {
        statement!("add_past_debits.sql", account, subscribers, emails)
    };
    Ok(costs.map(add).collect())
}

async fn calls(store: &dyn Statements, until: i64, after: Position) -> Result<Step, OperatorError> {
    let sql = statement!("walk_calls.sql", after.0);
    let Some(range) = Range::read(store, sql, until, after).await? else {
        return Ok(nothing(after));
    };
    let delete = statement!("forget_calls.sql", after.0, range.last.0, until);
    let deleted = store.write_then(delete, Box::new(costs)).await?;
    Ok(range.step(deleted.len() as u64))
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    #[test]
    fn every_step_looks_at_as_many_rows_as_its_statement_and_the_page_say() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = 0;
        for file in std::fs::read_dir(root.join("src/store/sql")).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let steps = [
                "forget_",
                "walk_",
                "first_events",
                "messages_with",
                "empty_messages",
            ];
            if !steps.iter().any(|step| name.starts_with(step)) {
                continue;
            }
            let sql = std::fs::read_to_string(&path).unwrap();
            for limit in sql.split("LIMIT ").skip(1) {
                let end = limit.find(|c: char| !c.is_ascii_digit());
                let digits = limit.get(..end.unwrap_or(limit.len())).unwrap();
                let limit: usize = digits.parse().unwrap();
                // A limit of 1 only tests whether there is a row, and is not a step.
                if limit > 1 {
                    assert_eq!(limit, ROWS, "{name}");
                    found += 1;
                }
            }
        }
        assert!(found >= 12, "{found}");
        let page = std::fs::read_to_string(root.join("../../docs/operating.md")).unwrap();
        assert!(page.contains(&format!("in steps of {ROWS} rows")));
    }
}
