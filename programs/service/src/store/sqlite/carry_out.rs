//! Writes a plan, within a transaction.

use franking::Conflict;
use rusqlite::{Connection, OptionalExtension as _, ToSql, params};
use serde_json::{Value, json};

use super::failure::Doing as _;
use super::rows::{Table, part};
use crate::store::asked::to_signed;
use crate::store::error::StoreError;
use crate::store::idempotency::{KEPT_SECONDS, Kept, Record};
use crate::store::identity::{AccountId, CallId};
use crate::store::work::{Ids, NewRow, Work};
use crate::store::{Authenticated, Committed, KeyHash};

/// Carries out a plan. If this does not return [`Committed::Done`], the caller rolls back the savepoint.
///
/// Every statement takes all of its rows at once, as JSON, so the number of statements depends only on the kind of the plan.
pub(super) fn carry_out(connection: &Connection, work: &Work) -> Result<Committed, StoreError> {
    if let Some(kept) = begin(connection, work)? {
        return Ok(Committed::Replayed(kept));
    }
    check_existing(connection, &work.existing, work)?;
    let ids = new_ids(connection, work)?;
    for table in Table::ALL {
        let mut rows = table.rows(work, &ids).peekable();
        let Some(all) = part(&mut rows, usize::MAX, usize::MAX)? else {
            continue;
        };
        let inserted = table.insert(connection, &all.rows)?;
        match table {
            Table::Subscribers if inserted < all.count => {
                return Err(StoreError::Conflict(Conflict::SubscriberExists));
            }
            // The stored email was changed or deleted since the facts were given.
            Table::Messages if inserted < all.count => {
                return Err(StoreError::Conflict(Conflict::Other));
            }
            _ => {}
        }
    }
    Ok(Committed::Done)
}

/// Begins a plan if its account, its credits and its lists allow it. Returns the call that is kept under its idempotency
/// key, if there is one.
pub(super) fn begin(connection: &Connection, work: &Work) -> Result<Option<Kept>, StoreError> {
    insert_call(connection, work)?;
    if let Some(record) = &work.record
        && let Some(kept) = keep(connection, work, record)?
    {
        return Ok(Some(kept));
    }
    debit(connection, work)?;
    find_lists(connection, work)?;
    Ok(None)
}

fn insert_call(connection: &Connection, work: &Work) -> Result<(), StoreError> {
    execute(
        connection,
        "inserting the call",
        include_str!("sql/insert_call.sql"),
        params![
            to_signed(work.id.0),
            work.account.0,
            work.operation.name(),
            to_signed(work.debit.email),
            to_signed(work.debit.subscriber),
        ],
    )
    .map(drop)
}

/// Keeps the call under its idempotency key. If another call is kept under the key, returns that call.
fn keep(connection: &Connection, work: &Work, record: &Record) -> Result<Option<Kept>, StoreError> {
    let key = record.hold.key.as_str();
    let inserted = execute(
        connection,
        "inserting the idempotency key",
        include_str!("sql/insert_idempotency.sql"),
        params![
            work.account.0,
            key,
            to_signed(work.id.0),
            record.digest,
            record.answer,
            KEPT_SECONDS,
        ],
    )?;
    if inserted > 0 {
        return Ok(None);
    }
    let kept = kept(connection, work.account, key)?;
    // The insert has met the row, and no other connection writes, so the row is there.
    kept.map(Some).ok_or(StoreError::Conflict(Conflict::Other))
}

/// Returns the call that is kept under a key.
pub(super) fn kept(
    connection: &Connection,
    account: AccountId,
    key: &str,
) -> Result<Option<Kept>, StoreError> {
    let sql = include_str!("sql/select_idempotency.sql");
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Kept {
            call: CallId(row.get::<_, i64>(0)?.unsigned_abs()),
            digest: row.get(1)?,
            answer: row.get(2)?,
        })
    };
    let mut statement = connection
        .prepare_cached(sql)
        .doing("looking up an idempotency key")?;
    statement
        .query_row(params![account.0, key, KEPT_SECONDS], read)
        .optional()
        .doing("looking up an idempotency key")
}

/// Checks that existing recipients still exist and are not INACTIVE.
pub(super) fn check_existing(
    connection: &Connection,
    existing: &[i64],
    work: &Work,
) -> Result<(), StoreError> {
    if existing.is_empty() {
        return Ok(());
    }
    let (count, inactive): (i64, i64) = query_row(
        connection,
        "looking for subscribers",
        include_str!("sql/check_subscribers.sql"),
        params![
            work.account.0,
            array(existing.iter().map(|id| json!(id))),
            work.mailer(),
        ],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    if count < length(existing) {
        Err(StoreError::Conflict(work.gone()))
    } else if inactive > 0 {
        Err(StoreError::Conflict(Conflict::SubscriberInactive))
    } else {
        Ok(())
    }
}

/// Checks that none of these new subscribers exists already.
pub(super) fn check_new(
    connection: &Connection,
    account: AccountId,
    new: &[NewRow],
) -> Result<(), StoreError> {
    let found: bool = query_row(
        connection,
        "looking for new subscribers",
        include_str!("sql/find_match_keys.sql"),
        params![account.0, array(new.iter().map(|new| json!(new.match_key)))],
        |row| row.get(0),
    )?;
    match found {
        true => Err(StoreError::Conflict(Conflict::SubscriberExists)),
        false => Ok(()),
    }
}

/// Takes ids for the subscribers that a plan creates.
pub(super) fn new_ids(connection: &Connection, work: &Work) -> Result<Ids, StoreError> {
    if work.create.is_empty() {
        return Ok(Ids(Vec::new()));
    }
    let first: i64 = query_row(
        connection,
        "taking ids for subscribers",
        include_str!("sql/next_subscriber.sql"),
        params![work.account.0, length(&work.create)],
        |row| row.get(0),
    )?;
    Ok(Ids((first..).take(work.create.len()).collect()))
}

/// Looks for the lists, and creates those that need not exist beforehand.
fn find_lists(connection: &Connection, work: &Work) -> Result<(), StoreError> {
    if work.lists.is_empty() {
        return Ok(());
    }
    let names = array(work.lists.iter().map(|name| json!(name)));
    let are_there = || {
        let count: i64 = query_row(
            connection,
            "looking for lists",
            include_str!("sql/count_lists.sql"),
            params![work.account.0, names],
            |row| row.get(0),
        )?;
        Ok(count >= length(&work.lists))
    };
    if are_there()? {
        return Ok(());
    }
    execute(
        connection,
        "inserting lists",
        include_str!("sql/insert_lists.sql"),
        params![
            work.account.0,
            array(work.made_lists().map(|name| json!(name)))
        ],
    )?;
    match are_there()? {
        true => Ok(()),
        // A list was deleted since the facts were given.
        false => Err(StoreError::Conflict(Conflict::Other)),
    }
}

/// Takes the credits, if the account may still send and has enough.
fn debit(connection: &Connection, work: &Work) -> Result<(), StoreError> {
    let subscriber = to_signed(work.debit.subscriber);
    let email = to_signed(work.debit.email);
    let debited = execute(
        connection,
        "taking credits",
        include_str!("sql/debit.sql"),
        params![work.account.0, subscriber, email],
    )?;
    if debited > 0 {
        return Ok(());
    }
    let account = query_row(
        connection,
        "looking for the account",
        include_str!("sql/account_by_id.sql"),
        params![work.account.0],
        read_account,
    )?;
    let why = work.undebited(&account.account);
    Err(StoreError::Conflict(why.unwrap_or(Conflict::Other)))
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

pub(super) fn read_account(row: &rusqlite::Row<'_>) -> rusqlite::Result<Authenticated> {
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

fn length<T>(rows: &[T]) -> i64 {
    to_signed(rows.len() as u64)
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
    read: impl FnOnce(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Result<T, StoreError> {
    let mut statement = connection.prepare_cached(sql).doing(doing)?;
    statement.query_row(params, read).doing(doing)
}
