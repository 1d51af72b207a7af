//! The operator's commands, on SQLite.

use franking::{Account, DomainRoles};
use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, params};

use super::Sqlite;
use super::carry_out::read_account;
use super::failure::meaning;
use super::import::put_mailer;
use crate::store::asked::to_signed;
use crate::store::error::{Cause, StoreError};
use crate::store::identity::{AccountId, CallId, KeyHash};
use crate::store::operator::{
    AccountRow, Address, CallRow, Domain, LAST_COUNTED, LeftOut, MailerRow, NewMailer,
    NewSubscriber, Operator, OperatorError, Reply,
};

impl Sqlite {
    pub(super) fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Change<'_>) -> Result<T, OperatorError> + Send + 'static,
    ) -> Reply<T> {
        self.write(move |connection| work(&Change(connection)))
    }

    fn list<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Change<'_>) -> Result<T, OperatorError> + Send + 'static,
    ) -> Reply<T> {
        self.readers
            .operators
            .read(move |connection| read(&Change(connection)))
    }
}

/// A connection whose errors are those of the operator's commands.
pub(super) struct Change<'a>(&'a Connection);

impl<'a> Change<'a> {
    /// Runs a statement that has to change a row.
    pub(super) fn one(
        &self,
        what: &'static str,
        sql: &str,
        params: &[&dyn ToSql],
    ) -> Result<(), OperatorError> {
        match self.run(sql, params)? {
            0 => Err(OperatorError::NotFound(what)),
            _ => Ok(()),
        }
    }

    pub(super) fn run(&self, sql: &str, params: &[&dyn ToSql]) -> Result<usize, OperatorError> {
        let run = || self.0.prepare_cached(sql)?.execute(params);
        run().map_err(|error| failed(&error))
    }

    pub(super) fn row<T>(
        &self,
        sql: &str,
        params: &[&dyn ToSql],
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, OperatorError> {
        let run = || {
            self.0
                .prepare_cached(sql)?
                .query_row(params, read)
                .optional()
        };
        run().map_err(|error| failed(&error))
    }

    fn rows<T>(
        &self,
        sql: &str,
        params: &[&dyn ToSql],
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, OperatorError> {
        let run = || {
            let mut statement = self.0.prepare_cached(sql)?;
            let rows = statement.query_map(params, read)?;
            rows.collect::<rusqlite::Result<Vec<T>>>()
        };
        run().map_err(|error| failed(&error))
    }

    pub(super) const fn on(connection: &'a Connection) -> Self {
        Self(connection)
    }

    /// Checks that the account exists.
    pub(super) fn account(&self, account: AccountId) -> Result<(), OperatorError> {
        let sql = include_str!("sql/account_by_id.sql");
        let found = self.row(sql, params![account.0], |_| Ok(()))?;
        found.ok_or(OperatorError::NotFound("account"))
    }

    /// Fails while a large call of the account is carried out, because it may create the same subscribers.
    pub(super) fn no_large_call(&self, account: AccountId) -> Result<(), OperatorError> {
        let sql = include_str!("sql/has_large_plan.sql");
        let is_busy = self.row(sql, params![account.0], |row| row.get(0))?;
        if is_busy.ok_or_else(impossible)? {
            let cause = Cause::new("creating subscribers: a large call is being carried out");
            return Err(StoreError::Busy(cause).into());
        }
        Ok(())
    }
}

fn failed(error: &rusqlite::Error) -> OperatorError {
    OperatorError::Store(meaning("carrying out what the operator asked for", error))
}

/// The error for an answer of the database that is impossible.
pub(super) fn impossible() -> OperatorError {
    failed(&rusqlite::Error::QueryReturnedNoRows)
}

impl Operator for Sqlite {
    fn create_account(&self, name: String, account: Account, operator: String) -> Reply<AccountId> {
        self.change(move |change| {
            let sql = include_str!("sql/insert_account.sql");
            let credit = |credit: Option<i64>| credit.map(|credit| credit.max(0));
            let params = params![name, account.blocked, account.expired, account.deactivated,];
            let id: Option<i64> = change.row(sql, params, |row| row.get(0))?;
            let id = id.ok_or_else(impossible)?;
            let (subscriber, email) = (
                credit(account.subscriber_credit),
                credit(account.email_credit),
            );
            let sql = include_str!("sql/insert_credits.sql");
            change.run(sql, params![id, subscriber, email])?;
            if subscriber.is_some() || email.is_some() {
                let sql = include_str!("../sql/insert_credit_change.sql");
                let [subscriber, email] = [subscriber, email].map(|credit| credit.unwrap_or(0));
                change.run(sql, params![id, subscriber, email, operator])?;
            }
            Ok(AccountId(id))
        })
    }

    fn accounts(&self) -> Reply<Vec<AccountRow>> {
        self.list(|list| {
            let sql = include_str!("sql/select_accounts.sql");
            list.rows(sql, params![], |row| {
                let read = read_account(row)?;
                Ok(AccountRow {
                    id: read.id,
                    name: row.get(6)?,
                    account: read.account,
                })
            })
        })
    }

    fn set_state(
        &self,
        id: AccountId,
        blocked: Option<bool>,
        expired: Option<bool>,
        deactivated: Option<bool>,
    ) -> Reply<()> {
        self.change(move |change| {
            let sql = include_str!("sql/update_state.sql");
            change.one("account", sql, params![id.0, blocked, expired, deactivated])
        })
    }

    fn add_key(&self, account: AccountId, key: KeyHash, label: Option<String>) -> Reply<i64> {
        self.change(move |change| {
            change.account(account)?;
            let sql = include_str!("sql/insert_key.sql");
            let params = params![account.0, key.0, label];
            let added = change.row(sql, params, |row| row.get(0));
            match added {
                Err(OperatorError::Store(StoreError::Conflict(_))) => {
                    Err(OperatorError::Exists("key"))
                }
                added => added?.ok_or(OperatorError::TwoKeys),
            }
        })
    }

    fn revoke_key(&self, account: AccountId, key: i64) -> Reply<()> {
        self.change(move |change| {
            change.one(
                "key",
                include_str!("sql/delete_key.sql"),
                params![account.0, key],
            )
        })
    }

    fn put_sender(&self, account: AccountId, sender: Address, active: bool) -> Reply<()> {
        self.change(move |change| {
            change.account(account)?;
            let sql = include_str!("sql/upsert_sender.sql");
            change.run(
                sql,
                params![account.0, sender.match_key, sender.text, active],
            )?;
            Ok(())
        })
    }

    fn senders(&self, account: AccountId) -> Reply<Vec<(String, bool)>> {
        self.list(move |list| {
            let sql = include_str!("sql/select_senders.sql");
            list.rows(sql, params![account.0], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
        })
    }

    fn put_mailer(&self, account: AccountId, mailer: NewMailer) -> Reply<u64> {
        self.change(move |change| {
            change.account(account)?;
            put_mailer(change, account, mailer)
        })
    }

    fn mailers(&self, account: AccountId) -> Reply<Vec<MailerRow>> {
        self.list(move |list| {
            list.rows(
                include_str!("sql/select_mailers.sql"),
                params![account.0],
                |row| {
                    Ok(MailerRow {
                        id: row.get::<_, i64>(0)?.unsigned_abs(),
                        from: row.get(1)?,
                        from_name: row.get(2)?,
                        subject: row.get(3)?,
                    })
                },
            )
        })
    }

    fn create_list(&self, account: AccountId, name: String) -> Reply<()> {
        self.change(move |change| {
            change.account(account)?;
            match change.run(
                include_str!("sql/insert_list.sql"),
                params![account.0, name],
            )? {
                0 => Err(OperatorError::Exists("list")),
                _ => Ok(()),
            }
        })
    }

    fn lists(&self, account: AccountId) -> Reply<Vec<(String, u64)>> {
        self.list(move |list| {
            let sql = include_str!("sql/select_lists.sql");
            list.rows(sql, params![account.0], |row| {
                Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs()))
            })
        })
    }

    fn put_subscriber(&self, account: AccountId, subscriber: NewSubscriber) -> Reply<u64> {
        self.change(move |change| {
            change.account(account)?;
            change.no_large_call(account)?;
            let id = match subscriber.id.map(to_signed) {
                Some(id) => {
                    if id < LAST_COUNTED {
                        let sql = include_str!("sql/raise_next_subscriber.sql");
                        change.run(sql, params![account.0, id])?;
                    }
                    id
                }
                None => {
                    let sql = include_str!("sql/next_subscriber.sql");
                    let next = change.row(sql, params![account.0, 1], |row| row.get(0))?;
                    next.ok_or_else(impossible)?
                }
            };
            let email = subscriber.email;
            let params = params![
                account.0,
                id,
                email.match_key,
                email.text,
                subscriber.inactive
            ];
            match change.run(include_str!("sql/insert_subscriber.sql"), params)? {
                0 => Err(OperatorError::Exists("subscriber")),
                _ => Ok(id.unsigned_abs()),
            }
        })
    }

    fn set_inactive(&self, account: AccountId, subscriber: u64, inactive: bool) -> Reply<()> {
        self.change(move |change| {
            let sql = include_str!("sql/update_inactive.sql");
            let params = params![account.0, to_signed(subscriber), inactive];
            match change.row(sql, params, |row| row.get::<_, bool>(0))? {
                None => Err(OperatorError::NotFound("subscriber")),
                Some(is_inactive) if is_inactive != inactive => Err(OperatorError::Suppressed),
                Some(_) => Ok(()),
            }
        })
    }

    fn personalization(&self, account: AccountId, subscriber: u64) -> Reply<Vec<(String, String)>> {
        self.list(move |list| {
            let sql = include_str!("sql/select_fields.sql");
            let params = params![account.0, to_signed(subscriber)];
            list.rows(sql, params, |row| Ok((row.get(0)?, row.get(1)?)))
        })
    }

    fn set_blacklisted(&self, domain: Domain, roles: DomainRoles) -> Reply<()> {
        self.change(move |change| {
            if roles.is_empty() {
                change.run(include_str!("sql/delete_blacklist.sql"), params![domain.0])?;
            } else {
                let sql = include_str!("sql/upsert_blacklist.sql");
                change.run(sql, params![domain.0, roles.bits()])?;
            }
            Ok(())
        })
    }

    fn left_out(&self, call: CallId) -> Reply<Vec<LeftOut>> {
        self.list(move |list| {
            let sql = include_str!("sql/select_left_out.sql");
            list.rows(sql, params![to_signed(call.number())], |row| {
                let (start, stop): (Option<i64>, Option<i64>) = (row.get(2)?, row.get(3)?);
                Ok(LeftOut {
                    request: row.get(0)?,
                    pointer: row.get(1)?,
                    span: start
                        .zip(stop)
                        .map(|(start, stop)| start.unsigned_abs()..stop.unsigned_abs()),
                    rule: row.get(4)?,
                })
            })
        })
    }

    fn calls(&self, account: AccountId) -> Reply<Vec<(CallId, CallRow)>> {
        self.list(move |list| {
            list.rows(
                include_str!("sql/select_calls.sql"),
                params![account.0],
                read_call,
            )
        })
    }
}

fn read_call(row: &Row<'_>) -> rusqlite::Result<(CallId, CallRow)> {
    let count = |column| Ok::<_, rusqlite::Error>(row.get::<_, i64>(column)?.unsigned_abs());
    let counted = CallRow {
        account: AccountId(row.get(1)?),
        emails: count(2)?,
        subscribers: count(3)?,
        messages: count(4)?,
        deliveries: count(5)?,
        delivered: count(6)?,
        bounced: count(7)?,
    };
    Ok((CallId(count(0)?), counted))
}
