//! Looks up the stored data that plans are about: one statement for each kind.

use std::collections::HashMap;

use rusqlite::{Connection, Row, params};
use serde::Serialize;

use super::carry_out::{query, read_account};
use super::rows::json;
use crate::store::error::StoreError;
use crate::store::group::{Keys, Stored};
use crate::store::idempotency::{KEPT_SECONDS, Kept};
use crate::store::identity::CallId;

const DOING: &str = "looking up what a plan is about";

/// Looks up the data, which nobody else changes within the writer's transaction.
pub(super) fn look_up(connection: &Connection, keys: &Keys<'_>) -> Result<Stored, StoreError> {
    let c = connection;
    Ok(Stored {
        accounts: find(
            c,
            include_str!("sql/find_accounts.sql"),
            &keys.accounts,
            |row| {
                let found = read_account(row)?;
                Ok((found.id.0, found.account))
            },
        )?,
        calls: find(c, include_str!("sql/find_calls.sql"), &keys.calls, |row| {
            row.get(0)
        })?,
        kept: kept(c, &keys.kept)?,
        match_keys: find(
            c,
            include_str!("sql/find_match_keys.sql"),
            &keys.match_keys,
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?,
        inactive: find(
            c,
            include_str!("sql/find_subscribers.sql"),
            &keys.subscribers,
            |row| Ok(((row.get(0)?, row.get(1)?, row.get(2)?), row.get(3)?)),
        )?,
        lists: find(c, include_str!("sql/find_lists.sql"), &keys.lists, |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?,
        revisions: find(
            c,
            include_str!("sql/find_mailers.sql"),
            &keys.mailers,
            |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)),
        )?,
        ..Stored::default()
    })
}

/// Returns the calls that are kept, by account and idempotency key.
pub(super) fn kept(
    connection: &Connection,
    keys: &[(i64, &str)],
) -> Result<HashMap<(i64, String), Kept>, StoreError> {
    if keys.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = include_str!("sql/find_kept.sql");
    query(
        connection,
        DOING,
        sql,
        params![json(keys)?, KEPT_SECONDS],
        |row| {
            let kept = Kept {
                call: CallId(row.get::<_, i64>(2)?.unsigned_abs()),
                digest: row.get(3)?,
                answer: row.get(4)?,
            };
            Ok(((row.get(0)?, row.get(1)?), kept))
        },
    )
}

fn find<K: Serialize, T, C: Default + FromIterator<T>>(
    connection: &Connection,
    sql: &str,
    keys: &[K],
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<C, StoreError> {
    match keys.is_empty() {
        true => Ok(C::default()),
        false => query(connection, DOING, sql, params![json(keys)?], read),
    }
}
