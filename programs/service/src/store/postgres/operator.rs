//! The operator's commands, on PostgreSQL. Each is one statement. If it changes what calls are judged by, the account is locked.

use franking::{Account, DomainRoles};
use tokio_postgres::{Error, Row};

use super::Postgres;
use super::command::{DOING, first, found, given, impossible};
use super::failure::Doing as _;
use super::import::of_mailer;
use super::stored::read_account;
use crate::store::asked::to_signed;
use crate::store::error::StoreError;
use crate::store::identity::{AccountId, CallId, KeyHash};
use crate::store::operator::{
    AccountRow, Address, CallRow, Domain, LAST_COUNTED, LeftOut, MailerRow, NewMailer,
    NewSubscriber, Operator, OperatorError, Reply,
};

/// Raises a credit below zero to zero.
fn credit(credit: Option<i64>) -> Option<i64> {
    credit.map(|credit| credit.max(0))
}

impl Operator for Postgres {
    fn create_account(&self, name: String, account: Account, operator: String) -> Reply<AccountId> {
        let given = given![
            name,
            account.blocked,
            account.expired,
            account.deactivated,
            credit(account.subscriber_credit),
            credit(account.email_credit),
            operator,
        ];
        self.change(include_str!("sql/insert_account.sql"), given, |rows| {
            first(rows, impossible(), |row| Ok(AccountId(row.try_get(0)?)))
        })
    }

    fn accounts(&self) -> Reply<Vec<AccountRow>> {
        self.list(include_str!("sql/select_accounts.sql"), given![], |row| {
            let read = read_account(row)?;
            Ok(AccountRow {
                id: read.id,
                name: row.try_get(6)?,
                account: read.account,
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
        let given = given![id.0, blocked, expired, deactivated];
        let sql = include_str!("sql/update_state.sql");
        self.change_of(id, sql, given, found("account"))
    }

    fn add_key(&self, account: AccountId, key: KeyHash, label: Option<String>) -> Reply<i64> {
        let given = given![account.0, key.0.to_vec(), label];
        let added = self.change_of(account, include_str!("sql/insert_key.sql"), given, |rows| {
            first(rows, OperatorError::TwoKeys, |row| row.try_get(0))
        });
        Box::pin(async move {
            match added.await {
                Err(OperatorError::Store(StoreError::Conflict(_))) => {
                    Err(OperatorError::Exists("key"))
                }
                added => added,
            }
        })
    }

    fn revoke_key(&self, account: AccountId, key: i64) -> Reply<()> {
        let given = given![account.0, key];
        self.change(include_str!("sql/delete_key.sql"), given, found("key"))
    }

    fn put_sender(&self, account: AccountId, sender: Address, active: bool) -> Reply<()> {
        let given = given![account.0, sender.match_key, sender.text, active];
        self.change_of(
            account,
            include_str!("sql/upsert_sender.sql"),
            given,
            |_| Ok(()),
        )
    }

    fn senders(&self, account: AccountId) -> Reply<Vec<(String, bool)>> {
        self.list(
            include_str!("sql/select_senders.sql"),
            given![account.0],
            |row| Ok((row.try_get(0)?, row.try_get(1)?)),
        )
    }

    fn put_mailer(&self, account: AccountId, mailer: NewMailer) -> Reply<u64> {
        self.change_of(
            account,
            include_str!("sql/upsert_mailer.sql"),
            of_mailer(account, mailer),
            |rows| first(rows, impossible(), |row| count(row, 0)),
        )
    }

    fn mailers(&self, account: AccountId) -> Reply<Vec<MailerRow>> {
        self.list(
            include_str!("sql/select_mailers.sql"),
            given![account.0],
            |row| {
                Ok(MailerRow {
                    id: count(row, 0)?,
                    from: row.try_get(1)?,
                    from_name: row.try_get(2)?,
                    subject: row.try_get(3)?,
                })
            },
        )
    }

    fn create_list(&self, account: AccountId, name: String) -> Reply<()> {
        let given = given![account.0, name];
        self.change_of(
            account,
            include_str!("sql/insert_list.sql"),
            given,
            |rows| first(rows, OperatorError::Exists("list"), |_| Ok(())),
        )
    }

    fn lists(&self, account: AccountId) -> Reply<Vec<(String, u64)>> {
        self.list(
            include_str!("sql/select_lists.sql"),
            given![account.0],
            |row| Ok((row.try_get(0)?, count(row, 1)?)),
        )
    }

    fn put_subscriber(&self, account: AccountId, subscriber: NewSubscriber) -> Reply<u64> {
        let email = subscriber.email;
        let id = subscriber.id.map(to_signed);
        let given = given![
            account.0,
            id,
            email.match_key,
            email.text,
            subscriber.inactive,
            LAST_COUNTED,
        ];
        self.change_of(
            account,
            include_str!("sql/insert_subscriber.sql"),
            given,
            |rows| {
                first(rows, OperatorError::Exists("subscriber"), |row| {
                    count(row, 0)
                })
            },
        )
    }

    fn set_inactive(&self, account: AccountId, subscriber: u64, inactive: bool) -> Reply<()> {
        let given = given![account.0, to_signed(subscriber), inactive];
        self.change_of(
            account,
            include_str!("sql/update_inactive.sql"),
            given,
            move |rows| {
                let missing = OperatorError::NotFound("subscriber");
                match first(rows, missing, |row| row.try_get::<_, bool>(0))? == inactive {
                    true => Ok(()),
                    false => Err(OperatorError::Suppressed),
                }
            },
        )
    }

    fn personalization(&self, account: AccountId, subscriber: u64) -> Reply<Vec<(String, String)>> {
        let given = given![account.0, to_signed(subscriber)];
        self.ask(include_str!("sql/select_fields.sql"), given, |rows| {
            let read = |row: &Row| {
                let name: Result<String, OperatorError> = Ok(row.try_get(0).doing(DOING)?);
                let value = String::from_utf8(row.try_get(1).doing(DOING)?);
                Ok((name?, value.map_err(|_| impossible())?))
            };
            rows.iter().map(read).collect()
        })
    }

    fn set_blacklisted(&self, domain: Domain, roles: DomainRoles) -> Reply<()> {
        if roles.is_empty() {
            let sql = include_str!("sql/delete_blacklist.sql");
            return self.change(sql, given![domain.0], |_| Ok(()));
        }
        let given = given![domain.0, i16::from(roles.bits())];
        self.change(include_str!("sql/upsert_blacklist.sql"), given, |_| Ok(()))
    }

    fn left_out(&self, call: CallId) -> Reply<Vec<LeftOut>> {
        self.list(
            include_str!("sql/select_left_out.sql"),
            given![to_signed(call.number())],
            |row| {
                let request: Option<i32> = row.try_get(0)?;
                let (start, stop): (Option<i64>, Option<i64>) = (row.try_get(2)?, row.try_get(3)?);
                Ok(LeftOut {
                    request: request.map(i32::unsigned_abs),
                    pointer: row.try_get(1)?,
                    span: start
                        .zip(stop)
                        .map(|(start, stop)| start.unsigned_abs()..stop.unsigned_abs()),
                    rule: row.try_get(4)?,
                })
            },
        )
    }

    fn calls(&self, account: AccountId) -> Reply<Vec<(CallId, CallRow)>> {
        self.list(
            include_str!("sql/select_calls.sql"),
            given![account.0],
            read_call,
        )
    }
}

fn count(row: &Row, column: usize) -> Result<u64, Error> {
    Ok(row.try_get::<_, i64>(column)?.unsigned_abs())
}

fn read_call(row: &Row) -> Result<(CallId, CallRow), Error> {
    let counted = CallRow {
        account: AccountId(row.try_get(1)?),
        emails: count(row, 2)?,
        subscribers: count(row, 3)?,
        messages: count(row, 4)?,
        deliveries: count(row, 5)?,
        delivered: count(row, 6)?,
        bounced: count(row, 7)?,
    };
    Ok((CallId(count(row, 0)?), counted))
}
