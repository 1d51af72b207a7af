//! Writes plans, within a transaction.

use std::collections::{BTreeMap, HashMap};

use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, params};
use serde_json::Value;

use super::failure::Doing as _;
use super::rows::{BYTES, Table, json, part};
use super::stored::look_up;
use crate::store::Committed;
use crate::store::asked::to_signed;
use crate::store::error::{Cause, StoreError};
use crate::store::group::{Keys, Plan, Verdict, debits, judge};
use crate::store::identity::{AccountId, Authenticated, KeyHash};
use crate::store::work::{Ids, Work};

/// Carries out all plans that can be carried out. Returns what to tell their callers after COMMIT, in the order of the plans.
///
/// Every statement takes the keys or the rows of all plans at once, as JSON, so the number of statements depends only on the
/// kinds of the plans. Plans that come later are written by another round of statements.
///
/// # Errors
/// One of the plans cannot be written. The caller rolls back what was written of all of them.
pub(super) fn carry_out(
    connection: &Connection,
    works: &[&Work],
) -> Result<Vec<Result<Committed, StoreError>>, StoreError> {
    let mut stored = look_up(connection, &Keys::of(works))?;
    let mut told: Vec<Option<Result<Committed, StoreError>>> = vec![None; works.len()];
    loop {
        let waiting = works
            .iter()
            .zip(&mut told)
            .filter(|(_, told)| told.is_none());
        let (waiting, places): (Vec<&Work>, Vec<_>) =
            waiting.map(|(work, told)| (*work, told)).unzip();
        if waiting.is_empty() {
            return Ok(told.into_iter().flatten().collect());
        }
        let verdicts = judge(waiting.iter().copied(), &mut stored);
        let judged = waiting.into_iter().zip(&verdicts);
        let accepted = judged.filter(|(_, verdict)| verdict.is_done());
        let accepted: Vec<&Work> = accepted.map(|(work, _)| work).collect();
        write(connection, &accepted)?;
        for (place, verdict) in places.into_iter().zip(verdicts) {
            *place = match verdict {
                Verdict::Told(told) => Some(told),
                Verdict::Later => None,
                // Rows are held only on PostgreSQL.
                Verdict::Held => Some(Err(StoreError::Busy(Cause::new("locking an account")))),
            };
        }
    }
}

fn write(connection: &Connection, works: &[&Work]) -> Result<(), StoreError> {
    let group = with_ids(connection, works)?;
    accept(connection, &group)?;
    insert(connection, &group, &Table::ROWS)
}

/// Accepts a plan whose rows are written later, if its account allows it. Its subscribers have been looked up.
pub(super) fn accept_alone(connection: &Connection, work: &Work) -> Result<Committed, StoreError> {
    let keys = Keys {
        match_keys: Vec::new(),
        subscribers: Vec::new(),
        ..Keys::of(&[work])
    };
    let told = look_up(connection, &keys)?.check_account(work)?;
    if told == Committed::Done {
        let ids = Ids::default();
        accept(connection, &[Plan { work, ids }])?;
    }
    Ok(told)
}

/// Takes the credits of plans, and stores their calls. The verdicts have made sure that the accounts have the credits.
fn accept(connection: &Connection, group: &[Plan<'_>]) -> Result<(), StoreError> {
    if !group.is_empty() {
        let (sql, debits) = (include_str!("sql/debit.sql"), json(&debits(group))?);
        execute(connection, "taking credits", sql, params![debits])?;
    }
    insert(connection, group, &Table::ACCEPTED)
}

fn insert(connection: &Connection, group: &[Plan<'_>], tables: &[Table]) -> Result<(), StoreError> {
    for table in tables {
        let mut rows = table.rows(group);
        while let Some(rows) = part(&mut rows, usize::MAX, BYTES)? {
            table.insert(connection, &rows)?;
        }
    }
    Ok(())
}

/// Takes ids for the subscribers that plans create.
pub(super) fn with_ids<'w>(
    connection: &Connection,
    works: &[&'w Work],
) -> Result<Vec<Plan<'w>>, StoreError> {
    const DOING: &str = "taking ids for subscribers";
    let mut counts = BTreeMap::<i64, i64>::new();
    for work in works.iter().filter(|work| !work.create.is_empty()) {
        let count = counts.entry(work.account.0).or_default();
        *count = count.saturating_add(to_signed(work.create.len() as u64));
    }
    let mut next = HashMap::new();
    if !counts.is_empty() {
        let sql = include_str!("sql/next_subscribers.sql");
        let asked = json(&counts.iter().collect::<Vec<_>>())?;
        next = query(connection, DOING, sql, params![asked], |row| {
            let (account, after): (i64, i64) = (row.get(0)?, row.get(1)?);
            let count = counts.get(&account).copied().unwrap_or(0);
            Ok((account, after.saturating_sub(count)..after))
        })?;
    }
    let with_ids = |work: &&'w Work| {
        let ids = next.get_mut(&work.account.0).into_iter().flatten();
        let ids = Ids(ids.take(work.create.len()).collect());
        match ids.0.len() == work.create.len() {
            true => Ok(Plan { work, ids }),
            false => Err(StoreError::Failed(Cause::new(DOING))),
        }
    };
    works.iter().map(with_ids).collect()
}

/// Returns the account with a key.
pub(super) fn account_by_key(
    connection: &Connection,
    key: KeyHash,
) -> Result<Option<Authenticated>, StoreError> {
    let sql = include_str!("sql/account_by_key.sql");
    let mut statement = connection
        .prepare_cached(sql)
        .doing("looking for an account")?;
    statement
        .query_row(params![key.0], read_account)
        .optional()
        .doing("looking for an account")
}

pub(super) fn read_account(row: &Row<'_>) -> rusqlite::Result<Authenticated> {
    Ok(Authenticated {
        id: AccountId(row.get(0)?),
        account: franking::Account {
            blocked: row.get(1)?,
            expired: row.get(2)?,
            deactivated: row.get(3)?,
            subscriber_credit: row.get(4)?,
            email_credit: row.get(5)?,
        },
    })
}

/// Makes a JSON array of rows, as `json_each` takes them.
pub(super) fn array(rows: impl IntoIterator<Item = Value>) -> String {
    Value::Array(rows.into_iter().collect()).to_string()
}

pub(super) fn execute(
    connection: &Connection,
    doing: &'static str,
    sql: &str,
    params: &[&dyn ToSql],
) -> Result<usize, StoreError> {
    let mut statement = connection.prepare_cached(sql).doing(doing)?;
    statement.execute(params).doing(doing)
}

pub(super) fn query_row<T>(
    connection: &Connection,
    doing: &'static str,
    sql: &str,
    params: &[&dyn ToSql],
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<T, StoreError> {
    let mut statement = connection.prepare_cached(sql).doing(doing)?;
    statement.query_row(params, read).doing(doing)
}

pub(super) fn query<T, C: FromIterator<T>>(
    connection: &Connection,
    doing: &'static str,
    sql: &str,
    params: &[&dyn ToSql],
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<C, StoreError> {
    let mut statement = connection.prepare_cached(sql).doing(doing)?;
    let rows = statement.query_map(params, read).doing(doing)?;
    rows.collect::<rusqlite::Result<C>>().doing(doing)
}
