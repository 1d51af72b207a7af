//! Readers who have unsubscribed, on SQLite.

use rusqlite::params;

use super::Sqlite;
use super::carry_out::{execute, query_row};
use super::events;
use super::failure::Doing as _;
use super::reports::row;
use crate::store::Answer;
use crate::store::identity::AccountId;
use crate::store::operator::{OperatorError, Reply};
use crate::store::unsubscribed::{Unsubscribing, Unsubscription, left, lifted};

const LOOKING: &str = "looking for a reader";
const LEAVING: &str = "unsubscribing a reader";
const LIFTING: &str = "lifting an unsubscription";

impl Unsubscribing for Sqlite {
    fn has_unsubscribe(&self, delivery: i64) -> Answer<bool> {
        self.readers.served.read(move |connection| {
            let sql = include_str!("sql/has_unsubscribe.sql");
            query_row(connection, LOOKING, sql, params![delivery], |row| {
                row.get(0)
            })
        })
    }

    fn unsubscribe(&self, delivery: i64) -> Answer<Unsubscription> {
        self.write(move |connection| {
            let sql = include_str!("sql/unsubscribe.sql");
            if execute(connection, LEAVING, sql, params![delivery])? > 0 {
                events::record(connection, &[left(delivery)])?;
                return Ok(Unsubscription::New);
            }
            let sql = include_str!("sql/has_unsubscribe.sql");
            let has = query_row(connection, LOOKING, sql, params![delivery], |row| {
                row.get(0)
            })?;
            Ok(match has {
                true => Unsubscription::Repeated,
                false => Unsubscription::Unknown,
            })
        })
    }

    fn lift_unsubscribed(&self, account: AccountId, id: i64, why: String) -> Reply<()> {
        self.write(move |connection| {
            let sql = include_str!("sql/lift_unsubscribed.sql");
            let params = params![account.0, id, why];
            let subscriber = row(connection, sql, params, |row| row.get(0)).doing(LIFTING)?;
            let subscriber = subscriber.ok_or(OperatorError::NotFound("entry in force"))?;
            events::record(connection, &[lifted(account, subscriber, &why)])?;
            Ok(())
        })
    }

    fn set_http_unsubscribe(&self, account: AccountId, has: bool) -> Reply<()> {
        self.change(move |change| {
            let sql = include_str!("sql/update_http_unsubscribe.sql");
            change.one("account", sql, params![account.0, has])
        })
    }
}
